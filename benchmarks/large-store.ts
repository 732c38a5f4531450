/**
 * A store of 500,000 calls: how long it takes to open it, to page through a run, and to find a call.
 *
 *   npx tsx benchmarks/large-store.ts [--calls 500000]
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import { sha256 } from "../src/core/hash.ts";
import { seededRandom } from "../src/core/random.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { newRun } from "../src/runner/run-record.ts";
import { openStore } from "../src/store/open-store.ts";
import { positions } from "./support/prompts.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "500000" } } });
const calls = Number(values.calls);
const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
const path = join(folder, "store.db");

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(`  ${name.padEnd(44)} ${(performance.now() - started).toFixed(1).padStart(9)} ms`);
  return result;
}

console.log(`a store of ${calls} calls`);
const store = await openStore(path);
const run = await newRun(store, { command: ["benchmark"], folder }, systemClock, seededRandom(1));
const text = "A reply of some length. ".repeat(20);
await timed("filled, one transaction per group of replies", () =>
  mapBounded(positions(calls), 2000, async (position) => {
    const key = sha256(String(position));
    const at = new Date(position).toISOString();
    const shared = { key, model: "m@http://host/v1", purpose: "judge", cost: 0.001 };
    await store.recordAnswer(
      {
        ...shared,
        sample: 0,
        requestHash: key,
        text,
        reasoning: null,
        stop: "stop",
        servedBy: "m",
        inputTokens: 5000,
        outputTokens: 120,
        cachedInputTokens: 0,
        reasoningTokens: 0,
        latencyMilliseconds: 200,
        attempts: 1,
        answeredAt: at,
      },
      `request ${position}`,
      {
        ...shared,
        runId: run.id,
        outcome: "asked",
        inputTokens: 5000,
        outputTokens: 120,
        reason: null,
        requestHash: null,
        at,
      },
    );
  }),
);
await store.close();
console.log(`  ${((await stat(path)).size / 1024 / 1024).toFixed(0)} MB`);

const opened = await timed("opened", () => openStore(path));
await timed("how many calls", () => opened.countCalls());
await timed("runs listed", () => opened.listRuns({}, { limit: 20, after: null }));
const first = await timed("first page of 100 calls", () => opened.runCalls(run.id, { limit: 100, after: null }));
const middle = first[0]!.position + Math.floor(calls / 2);
await timed("page of 100 in the middle", () => opened.runCalls(run.id, { limit: 100, after: middle }));
await timed("1,000 calls found by key", async () => {
  for (let at = 0; at < 1000; at++) await opened.findCall(sha256(String((at * 7919) % calls)));
});
await timed("totals of the run", () => opened.totals(run.id));
await opened.close();
await rm(folder, { recursive: true, force: true });
