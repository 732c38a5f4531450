import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staticClient } from "./static-client.ts";

const PAGE = `<!doctype html><title>The page</title>${"<p>words</p>".repeat(200)}`;
let folder: string;
let app: Hono;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-client-"));
  const client = join(folder, "client");
  await mkdir(join(client, "assets"), { recursive: true });
  await writeFile(join(client, "index.html"), PAGE);
  await writeFile(join(client, "assets", "main-abc123.js"), "export {};");
  await writeFile(join(folder, "secret.txt"), "secret");
  app = new Hono().use(await staticClient(client)) as Hono;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the files of the page", () => {
  it("are cached for ever if their name contains their hash, and revalidated if not", async () => {
    const script = await app.request("/assets/main-abc123.js");
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect(script.headers.get("content-type")).toContain("text/javascript");
    const index = await app.request("/");
    expect(index.headers.get("cache-control")).toBe("no-cache");
    expect(await index.text()).toBe(PAGE);
  });

  it("are compressed in a way that the browser accepts", async () => {
    const packed = async (encoding: string) => {
      const response = await app.request("/", { headers: { "accept-encoding": encoding } });
      return { name: response.headers.get("content-encoding"), bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const brotli = await packed("gzip, deflate, br");
    expect(brotli.name).toBe("br");
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(PAGE);
    const gzip = await packed("gzip");
    expect(gzip.name).toBe("gzip");
    expect(gunzipSync(gzip.bytes).toString()).toBe(PAGE);
    expect((await packed("identity")).name).toBeNull();
  });

  it("are served for addresses within the page, and nothing else is", async () => {
    expect(await (await app.request("/books/some-book")).text()).toBe(PAGE);
    for (const path of ["/assets/none.js", "/..%2fsecret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/secret.txt"]) {
      expect((await app.request(path)).status).toBe(404);
    }
    expect((await app.request("/", { method: "POST" })).status).toBe(404);
  });

  it("are replaced by one sentence if they were not built", async () => {
    const empty = new Hono().use(await staticClient(join(folder, "nowhere")));
    const response = await empty.request("/");
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("npm run build");
  });
});
