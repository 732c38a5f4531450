/**
 * A store of a million calls in a file and on a PostgreSQL server, side by side: keeping answers, finding them again when a
 * run is resumed, listing runs, adding up and reading a whole run, copying either way. The server is a real one, started
 * for the occasion, and waits for the disk as in production.
 *
 *   npx tsx benchmarks/postgres-store.ts [--calls 1000000] [--runs 10000] [--request-characters 1000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import { sha256 } from "../src/core/hash.ts";
import { seededRandom } from "../src/core/random.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { newRun } from "../src/runner/run-record.ts";
import { compareContents, copyContents } from "../src/store/copy-contents.ts";
import { openStore } from "../src/store/open-store.ts";
import type { StoredRun } from "../src/store/records.ts";
import type { Store } from "../src/store/store.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { positions } from "./support/prompts.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "1000000" },
    runs: { type: "string", default: "10000" },
    "request-characters": { type: "string", default: "1000" },
  },
});
const calls = Number(values.calls);
const runs = Number(values.runs);
const requestText = "What was asked, at some length. ".repeat(Math.ceil(Number(values["request-characters"]) / 32));
const replyText = "A reply of some length. ".repeat(20);
const model = "m@http://host/v1";
const RESUMING = 64;
const signal = new AbortController().signal;

type Side = "SQLite" | "PostgreSQL";
const seconds = new Map<string, Partial<Record<Side, number>>>();
let largest = 0;

async function timed<T>(step: string, side: Side, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  const took = (performance.now() - started) / 1000;
  seconds.set(step, { ...seconds.get(step), [side]: took });
  largest = Math.max(largest, process.memoryUsage.rss());
  console.error(`  ${side.padEnd(11)} ${step.padEnd(48)} ${took.toFixed(2).padStart(9)} s`);
  return result;
}

const keyOf = (position: number) => sha256(String(position));

async function keepAnswers(store: Store, run: StoredRun): Promise<void> {
  await mapBounded(positions(calls), 2000, async (position) => {
    const key = keyOf(position);
    const at = new Date(1_767_225_600_000 + position).toISOString();
    const shared = { key, model, purpose: "judge", cost: 0.001, inputTokens: 5000, outputTokens: 120 };
    const { key: _, ...rest } = shared;
    await store.recordAnswer(
      {
        ...shared,
        sample: 0,
        requestHash: key,
        text: replyText,
        reasoning: null,
        stop: "stop",
        servedBy: "m",
        cachedInputTokens: 0,
        reasoningTokens: 0,
        latencyMilliseconds: 200,
        attempts: 1,
        answeredAt: at,
      },
      `${requestText}${position}`,
      { ...rest, key, runId: run.id, outcome: "asked", reason: null, requestHash: null, at },
    );
  });
}

async function fill(store: Store, side: Side): Promise<string> {
  const run = await newRun(store, { command: ["benchmark"], folder: "/" }, systemClock, seededRandom(1));
  await timed("answers kept as they come", side, () => keepAnswers(store, run));
  await mapBounded(positions(runs), 8, async (at) => {
    const startedAt = new Date(1_735_689_600_000 + at * 60_000).toISOString();
    await store.createRun({ ...run, id: `run-${String(at).padStart(8, "0")}`, startedAt, status: "done" });
  });
  return run.id;
}

async function measure(store: Store, side: Side, runId: string): Promise<void> {
  await timed("every call of the run found again", side, () =>
    mapBounded(positions(calls), RESUMING, async (position) => {
      if (!(await store.findCall(keyOf(position)))) throw new Error(`call ${position} is gone`);
    }),
  );
  await timed(`${runs} runs listed, 100 to a page`, side, async () => {
    for (let after: StoredRun | null = null; ; ) {
      const page: StoredRun[] = await store.listRuns({}, { limit: 100, after });
      after = page.at(-1) ?? null;
      if (!after) break;
    }
  });
  await timed("runs counted by a word of their command", side, () => store.countRuns({ search: "benchmark" }));
  await timed("calls, tokens and cost of the run added up", side, () => store.totals(runId));
  await timed("one page of 100 calls in the middle", side, async () => {
    const [first] = await store.runCalls(runId, { limit: 1, after: null });
    await store.runCalls(runId, { limit: 100, after: (first?.position ?? 0) + Math.floor(calls / 2) });
  });
  await timed("the whole run read, for a report", side, async () => {
    let read = 0;
    for (let after: number | null = null; ; ) {
      const page: { position: number }[] = await store.runCalls(runId, { limit: 1000, after });
      read += page.length;
      after = page.at(-1)?.position ?? null;
      if (after === null) break;
    }
    if (read !== calls) throw new Error(`read ${read} of ${calls} calls`);
  });
  await timed("how many calls", side, () => store.countCalls());
}

const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
const postgres = await startPostgres({ durable: true });
try {
  console.error(`a store of ${calls} calls with requests of ${requestText.length} characters`);
  const file = await openStore(join(folder, "store.db"));
  const server = await openStore(await postgres.freshDatabase());
  const sizes: Record<Side, number> = { SQLite: 0, PostgreSQL: 0 };
  for (const [side, store] of [
    ["SQLite", file],
    ["PostgreSQL", server],
  ] as const) {
    const runId = await fill(store, side);
    await store.contents.settle();
    await measure(store, side, runId);
    sizes[side] = (await store.describe()).bytes;
  }
  // "SQLite" here: from the server into a file. "PostgreSQL": from the file onto the server.
  const copies = {
    SQLite: await openStore(join(folder, "copy.db")),
    PostgreSQL: await openStore(await postgres.freshDatabase()),
  };
  for (const [side, from] of [
    ["PostgreSQL", file],
    ["SQLite", server],
  ] as const) {
    await timed("copied into it from the other", side, () => copyContents(from, copies[side], { signal }));
    await timed("copied again, nothing to add", side, () => copyContents(from, copies[side], { signal }));
    const { digests } = await timed("compared with the other", side, () =>
      compareContents(from, copies[side], { signal }),
    );
    if (digests[0] !== digests[1]) throw new Error("a copy differs");
  }
  report(sizes);
  for (const store of [file, server, copies.SQLite, copies.PostgreSQL]) await store.close();
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

function report(sizes: Record<Side, number>): void {
  const rows = [...seconds].map(([step, took]) => {
    const [one, other] = [took.SQLite ?? 0, took.PostgreSQL ?? 0];
    return `| ${step} | ${one.toFixed(2)} | ${other.toFixed(2)} | ${(other / one).toFixed(1)} |`;
  });
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
  const ratio = (sizes.PostgreSQL / sizes.SQLite).toFixed(1);
  console.log(`| ${calls.toLocaleString("en-GB")} calls | SQLite, s | PostgreSQL, s | ratio |`);
  console.log("| --- | --- | --- | --- |");
  console.log(rows.join("\n"));
  console.log(`| size, MB | ${megabytes(sizes.SQLite)} | ${megabytes(sizes.PostgreSQL)} | ${ratio} |`);
  console.log(`\nmost memory of this process: ${megabytes(largest)} MB`);
}
