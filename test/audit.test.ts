import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";

let registry: Server | undefined;
afterEach(() => registry?.close());

/** `npm run audit` against a registry that gives this answer; it also lists the versions of the one library that is asked for. */
async function audit(answer: (response: ServerResponse) => void): Promise<{ code: number; printed: string }> {
  const version = JSON.parse(readFileSync("node_modules/fflate/package.json", "utf8")).version as string;
  const library = {
    name: "fflate",
    "dist-tags": { latest: version },
    versions: { [version]: { name: "fflate", version } },
  };
  registry = createServer((request, response) => {
    request.resume();
    request.on("end", () => (request.method === "GET" ? json(library)(response) : answer(response)));
  }).listen(0, "127.0.0.1");
  await once(registry, "listening");
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ["scripts/audit.mjs"],
      { env: { ...process.env, npm_config_registry: address, npm_config_fetch_retries: "0" } },
      (failure, printed) => resolve({ code: Number(failure?.code ?? 0), printed }),
    ),
  );
}

const json = (body: object) => (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

describe("the audit of libraries", () => {
  it("fails on a high finding and names the library", async () => {
    const advisory = { id: 1, url: "https://example.org/1", title: "Reads too much", severity: "high" };
    const { code, printed } = await audit(json({ fflate: [{ ...advisory, vulnerable_versions: "<99" }] }));
    expect(printed).toContain("fflate (high): Reads too much (https://example.org/1)");
    expect(code).toBe(1);
  });

  it("passes where nothing is known", async () => {
    const { code, printed } = await audit(json({}));
    expect(printed).toContain("0 known vulnerabilities");
    expect(code).toBe(0);
  });

  it("says that it was not done where the registry answers no audit, and passes", async () => {
    const { code, printed } = await audit((response) => response.writeHead(405).end());
    expect(printed).toContain("not done");
    expect(code).toBe(0);
  });
});
