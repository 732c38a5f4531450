import { readFileSync } from "node:fs";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { usageOf } from "../../../src/text/parsing/process-usage.ts";
import { addStory, problem } from "../../support/library-requests.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("what must not work", () => {
  /** As a browser sends it whose visitor has opened the link: with the cookie, and whatever headers another site can make it send. */
  const raw = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const entered = await fetch(library.server.link, { redirect: "manual" });
    const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
    return new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const { hostname, port } = new URL(library.server.url);
      const sent = request({ hostname, port, path, method, headers: { cookie, ...headers } }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
      });
      sent.on("error", reject);
      sent.end();
    });
  };

  it.each([
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%5c..%5cpackage.json",
    "/package.json",
    "/api/books/..%2f..%2fetc%2fpasswd",
    "/api/books/%2e%2e",
    "/api/books/%00",
    "/api/books/a%00b/chapters/1",
    "/api/books/..%252f..%252fetc",
    "/api/evaluations/..%2f..%2fjobs",
    "/api/evaluations/%ff/export?format=html",
    "/api/jobs/..%2f..%2fcard.json",
    "/api/runs/..%2f..%2fx",
    "/api/benchmarks/..%2fx",
    "/api/nothing",
  ])("GET %s reaches no file", async (path) => {
    const { status, body } = await raw(path);
    // An address within the page is answered with the page, where it is built.
    if (status === 200) expect(body).toMatch(/^<!doctype html>/i);
    else expect([400, 404, 503]).toContain(status);
    expect(body).not.toMatch(/root:|"devDependencies"/);
  });

  it("answers to no name but this machine's own", async () => {
    for (const host of ["evil.example", "evil.example:4173", "127.0.0.1.evil.example", "localhost.evil.example"]) {
      expect((await raw("/api/about", { host })).status).toBeGreaterThanOrEqual(400);
    }
    expect((await raw("/api/about", { host: "localhost:1" })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ["without the page's header", {}],
    ["from another site", { "x-fabula": "1", "sec-fetch-site": "cross-site" }],
    ["from another port of this machine", { "x-fabula": "1", "sec-fetch-site": "same-site" }],
    ["from a foreign origin", { "x-fabula": "1", origin: "http://evil.example" }],
    ["from no origin", { "x-fabula": "1", origin: "null" }],
  ])("changes nothing %s", async (_what, headers) => {
    const book = await addStory(library.server);
    expect((await raw(`/api/books/${book.id}`, headers, "DELETE")).status).toBe(403);
    expect((await library.server.get(`/api/books/${book.id}`)).status).toBe(200);
  });

  it("takes no more JSON than it needs", async () => {
    const answer = await problem(library.server.send("POST", "/api/plans", { padding: "x".repeat(200_000) }));
    expect(answer).toMatchObject({ status: 413, code: "E_TOO_LARGE" });
    const rating = { rater: "ada", item: "x", rating: 1, padding: "x".repeat(200_000) };
    expect(await problem(library.server.send("PUT", "/api/questions/a/rating", rating))).toMatchObject({ status: 413 });
  });

  it("tells another site nothing", async () => {
    expect((await raw("/api/books", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await raw("/api/books", { "sec-fetch-site": "none" })).status).toBe(200);
  });

  it("allows no other site to ask first, and no method that it does not know", async () => {
    const { status, headers } = await raw("/api/books", { origin: "http://evil.example" }, "OPTIONS");
    expect(status).toBe(403);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect((await raw("/api/books", { "x-fabula": "1" }, "TRACE")).status).toBeGreaterThanOrEqual(400);
  });

  it("says with every answer what a browser may do with it", async () => {
    for (const path of ["/", "/api/about", "/api/nothing"]) {
      const { headers } = await raw(path);
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    }
  });

  it.runIf(process.platform === "linux")("reads no further for a client that has left during its upload", async () => {
    const before = (await library.server.json<{ total: number }>("/api/books")).total;
    const busy = busyChildren(library.server.pid);
    // What gets ready for a book is busy as well, and then waits for one.
    await library.server.send("GET", "/api/books/coming");
    await expect.poll(busy, PATIENCE).toBe(0);
    const leaving = new AbortController();
    const form = new FormData();
    // Some seconds of work: long enough to be left in the middle.
    form.set("file", new Blob([longNovel()]), "long.txt");
    const sent = fetch(`${library.server.url}/api/books`, {
      method: "POST",
      headers: library.server.headers,
      body: form,
      signal: leaving.signal,
    });
    sent.catch(() => {});
    await expect.poll(busy, PATIENCE).toBeGreaterThan(0);
    leaving.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(busy, PATIENCE).toBe(0);
    expect((await library.server.json<{ total: number }>("/api/books")).total).toBe(before);
  });
});

function longNovel(): string {
  const chapter = (number: number) =>
    `CHAPTER ${number}\n\n${"It rained on the harbour, and the boats lay still. ".repeat(20)}`;
  return Array.from({ length: 40_000 }, (_, at) => chapter(at + 1)).join("\n\n");
}

/** Often enough to see a reading, and far enough apart that whoever computes has got some time in between. */
const PATIENCE = { timeout: 60_000, interval: 500 };

/** How many of a process's children have computed since the last look. */
function busyChildren(pid: number): () => number {
  let before = new Map<string, number>();
  return () => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").filter(Boolean);
    const now = new Map(children.map((child) => [child, usageOf(Number(child))?.seconds ?? 0]));
    const busy = children.filter((child) => now.get(child)! - (before.get(child) ?? 0) > 0.05);
    before = now;
    return busy.length;
  };
}
