/**
 * What faults cost: 1,000 calls to a server of which 5 % answer 429, 3 % fail, 2 % drop the connection and 2 % reply with prose
 * where JSON was asked for. Every call must come out answered or with a reason, with no more requests than the faults demand.
 *
 *   npx tsx benchmarks/faults.ts [--calls 1000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { seededRandom } from "../src/core/random.ts";
import { asJson, ask } from "../src/models/ask.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { openRun } from "../src/runner/open-run.ts";
import { createSimulatedServer } from "../src/testing/index.ts";
import { positions, promptRequest } from "./support/prompts.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "1000" } } });
const calls = Number(values.calls);
const verdict = asJson("verdict", z.object({ score: z.number().min(0).max(100), review: z.string() }));
const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
const server = await createSimulatedServer({
  latency: [20, 120],
  faults: { "rate-limit": 0.05, "server-error": 0.03, drop: 0.02, prose: 0.02 },
});
const signal = new AbortController().signal;
const run = await openRun(
  { store: join(folder, "store.db"), command: ["benchmark"], folder, connections: {}, concurrency: 50 },
  { signal, random: seededRandom(3) },
);
const model = await run.model(server.judge("m"));
const started = performance.now();
const outcomes = await mapBounded(positions(calls), run.concurrency, async (position) => {
  const answer = await ask(model, { ...promptRequest(position, 400), ...verdict }, signal);
  return answer.kind === "answered" ? "answered" : `unscored: ${answer.reason}`;
});
const seconds = (performance.now() - started) / 1000;
const { summary } = await run.finish();
await server.close();
await rm(folder, { recursive: true, force: true });

const answered = outcomes.filter((outcome) => outcome === "answered").length;
const faults = server.exchanges.filter(({ fault }) => fault !== null);
const necessary = calls + faults.length;
console.log(`${calls} calls, ${faults.length} faults met, ${seconds.toFixed(1)} s`);
console.log(
  `  answered ${answered}, unscored with a reason ${outcomes.length - answered}, lost ${calls - outcomes.length}`,
);
console.log(`  in the store: ${summary.asked} answers, ${summary.failed} failures with a reason`);
console.log(
  `  requests ${server.exchanges.length}; necessary (calls + faults) ${necessary}: ${(server.exchanges.length / necessary).toFixed(3)} ×`,
);
for (const outcome of new Set(outcomes.filter((one) => one !== "answered"))) console.log(`  ${outcome}`);
