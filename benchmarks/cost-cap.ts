/**
 * Whether `--max-cost 1.00` holds: 100 seeded runs with 50 calls in flight, replies of random length and latency, and 3 % replies
 * that are billed but arrive broken. What was spent is what the server billed, not what the runner believes.
 *
 *   npx tsx benchmarks/cost-cap.ts [--runs 100]
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../src/core/random.ts";
import { ModelError } from "../src/models/model-error.ts";
import { mapBounded } from "../src/runner/map-bounded.ts";
import { openRun } from "../src/runner/open-run.ts";
import { createSimulatedServer } from "../src/testing/index.ts";
import { positions, promptRequest } from "./support/prompts.ts";

const CAP = 1;
const PRICE = { input: 10, output: 40 };
const { values } = parseArgs({ options: { runs: { type: "string", default: "100" } } });
const spent: number[] = [];
let worstMistake = 0;
for (let seed = 1; seed <= Number(values.runs); seed++) {
  const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
  const server = await createSimulatedServer({
    seed,
    latency: [1, 30],
    faults: { "malformed-body": 0.03 },
    reply: (_request, random) => "word ".repeat(1 + Math.floor(random() * 220)),
  });
  const prices = join(folder, "prices.yaml");
  await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${server.judge("m")}": ${JSON.stringify(PRICE)}\n`);
  const signal = new AbortController().signal;
  const run = await openRun(
    { store: join(folder, "s.db"), command: [], folder, connections: {}, prices, maximumCost: CAP, concurrency: 50 },
    { signal, random: seededRandom(seed) },
  );
  const model = await run.model(server.judge("m"));
  const words = seededRandom(seed);
  await mapBounded(positions(300), run.concurrency, async (position) => {
    await model.complete(promptRequest(position, 100 + Math.floor(words() * 900)), signal).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
    });
  });
  const { summary } = await run.finish();
  await server.close();
  await rm(folder, { recursive: true, force: true });
  const billed = server.exchanges.reduce(
    (sum, { billed: tokens }) =>
      sum + (tokens ? (tokens.inputTokens * PRICE.input + tokens.outputTokens * PRICE.output) / 1e6 : 0),
    0,
  );
  spent.push(billed);
  worstMistake = Math.max(worstMistake, billed - (summary.cost ?? 0));
}
const sorted = spent.toSorted((left, right) => left - right);
console.log(`${sorted.length} runs with --max-cost ${CAP.toFixed(2)} and 50 in flight, by what the server billed:`);
console.log(
  `  least $${sorted[0]!.toFixed(4)}, median $${sorted[Math.floor(sorted.length / 2)]!.toFixed(4)}, most $${sorted.at(-1)!.toFixed(4)}`,
);
console.log(`  worst overshoot $${Math.max(0, sorted.at(-1)! - CAP).toFixed(4)}`);
console.log(`  most that was billed beyond what the runner counted: $${worstMistake.toFixed(4)}`);
