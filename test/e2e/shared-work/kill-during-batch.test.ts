import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";

const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const RUNS = 6;
/** Each run asks in both orders. */
const CALLS = 2 * RUNS;
let folder: string;
let server: SimulatedServer;
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function fabula(words: readonly string[]) {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      FABULA_STORE: join(folder, "store.db"),
      OPENAI_API_KEY: "simulated-key",
      OPENAI_BASE_URL: `${server.url}/v1`,
    },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdout.resume();
  return { child, ended: once(child, "exit").then(([code]) => ({ code, stderr })) };
}

async function onlyRun(): Promise<string> {
  const store = await openStore(join(folder, "store.db"));
  const [run] = await store.listRuns({}, { limit: 1, after: null });
  await store.close();
  return run!.id;
}

it("kill -9 while a batch is away and its status cannot be read: the resumed run finds it and pays for nothing twice", async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-batch-kill-"));
  let pollsLeftUnanswered = Number.POSITIVE_INFINITY;
  server = await createSimulatedServer({ batchesDown: () => pollsLeftUnanswered-- > 0 });
  await writeFile(join(folder, "a.txt"), "Anna waited by the water. ".repeat(200));
  await writeFile(join(folder, "b.txt"), "Bertram waited by the water. ".repeat(200));
  const billed = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

  const first = fabula(["compare", "a.txt", "b.txt", "--judge", "openai:gpt-4o", "--runs", `${RUNS}`, "--batch"]);
  await expect.poll(billed).toBe(CALLS);
  first.child.kill("SIGKILL");
  await first.ended;

  pollsLeftUnanswered = 2;
  const resumed = await fabula(["runs", "resume", await onlyRun()]).ended;
  expect(resumed).toMatchObject({ code: expect.toBeOneOf([0, 3]), stderr: expect.stringContaining(`${CALLS} calls`) });
  expect(pollsLeftUnanswered).toBeLessThan(0);
  expect(billed()).toBe(CALLS);
});
