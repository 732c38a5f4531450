/**
 * What a shared run suffers without losing anything: 5,000 calls by four workers, with 50 events (workers killed, the database
 * restarted in order or by a crash, its connections dropped) and a provider that fails now and then; then 500 calls with a cap
 * that is reached on the way.
 *
 *   npx tsx benchmarks/chaos.ts [--calls 5000] [--events 50] [--seed 1]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../src/core/random.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { chaos } from "./support/chaos.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "5000" },
    events: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
  },
});
const calls = Number(values.calls);
const events = Number(values.events);
const trials = [
  { calls, events, maximumCost: 100 },
  { calls: Math.ceil(calls / 10), events: Math.ceil(events / 10), maximumCost: calls * 0.00002 },
];
const postgres = await startPostgres();
try {
  for (const trial of trials) {
    const folder = await mkdtemp(join(tmpdir(), "fabula-benchmark-"));
    const outcome = await chaos({
      ...trial,
      folder,
      postgres,
      workers: 4,
      concurrency: 8,
      latency: [100, 700],
      random: seededRandom(Number(values.seed)),
      onEvent: (words) => console.error(`  ${new Date().toISOString()} ${words}`),
    });
    await rm(folder, { recursive: true, force: true });
    const { kill, restart, crash, drop } = outcome.events;
    console.log(
      `${trial.calls} calls, cap $${trial.maximumCost.toFixed(4)}, 4 workers, 8 at a time; ${kill} kills, ${restart} restarts, ${crash} crashes, ${drop} times all connections dropped; ${outcome.seconds.toFixed(0)} s:`,
    );
    console.log(`  ended with                            ${outcome.code}`);
    console.log(`  answers in the store, uses of the run ${outcome.answers}, ${outcome.uses} of ${trial.calls}`);
    console.log(`  report identical to an undisturbed run ${outcome.isIdentical ? "yes" : "no"}`);
    console.log(`  billed twice                          ${outcome.billedTwice}`);
    console.log(`  of them for no known reason           ${outcome.billedTwiceForNoReason}`);
    console.log(`  billed                                $${outcome.billed.toFixed(4)}`);
    console.log(`  calls at a time, at most              ${outcome.mostUnderWay}`);
    console.log(`  workers that stopped by themselves    ${outcome.gaveUp.length}`);
    for (const words of outcome.gaveUp) console.error(`  ${words}`);
    if (outcome.code === 1) console.log(outcome.stderr);
  }
} finally {
  await postgres.close();
}
