import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";

const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
let folder: string;
let server: SimulatedServer;
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function fabula(words: readonly string[]) {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, FABULA_STORE: join(folder, "store.db") },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdout.resume();
  return { child, ended: once(child, "close").then(([code]) => ({ code, stderr })) };
}

it("Ctrl-C leaves a run that goes on where it stopped, and pays for nothing twice", async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-interrupt-"));
  server = await createSimulatedServer({ latency: 150 });
  const story = (name: string) => `${name} waited by the water. `.repeat(200);
  await writeFile(join(folder, "a.txt"), story("Anna"));
  await writeFile(join(folder, "b.txt"), story("Bertram"));
  const words = ["compare", "a.txt", "b.txt", "--judge", server.judge("m"), "--runs", "12", "--concurrency", "2"];
  const billed = () => server.exchanges.filter(({ outcome }) => outcome === "answered");

  const first = fabula(words);
  await expect.poll(() => billed().length).toBeGreaterThanOrEqual(3);
  first.child.kill("SIGINT");
  const interrupted = await first.ended;
  const run = /fabula runs resume ([\w-]+)/.exec(interrupted.stderr)?.[1];
  expect(interrupted).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing paid for is lost") });
  const paid = billed().length;
  expect(paid).toBeLessThan(24);
  expect(server.exchanges.some(({ outcome }) => outcome === "abandoned")).toBe(false);

  const resumed = await fabula(["runs", "resume", run!]).ended;
  expect(resumed.stderr).toContain(`Run ${run}`);
  expect([0, 3]).toContain(resumed.code);
  const bodies = billed().map(({ body, idempotencyKey }) => `${body} ${idempotencyKey}`);
  expect(bodies.length).toBeGreaterThan(paid);
  expect(new Set(bodies).size).toBe(bodies.length);
});
