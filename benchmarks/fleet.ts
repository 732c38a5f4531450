/**
 * Simulated fleets, one for each seed (`benchmarks/support/fleet.ts`): workers, runs and operators on a real database whose clock is
 * set by hand. A rule that is broken ends it with the seed, the step and what happened before; the seed alone repeats it.
 *
 *   npx tsx benchmarks/fleet.ts [--seeds 2000] [--from 1]
 */
import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres.ts";
import { type FleetOutcome, simulateFleets } from "./support/fleet.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "2000" }, from: { type: "string", default: "1" } },
});
const postgres = await startPostgres();
try {
  const started = performance.now();
  const all = await simulateFleets(postgres, Number(values.from), Number(values.seeds));
  const seconds = (performance.now() - started) / 1000;
  const sum = (of: (outcome: FleetOutcome) => number) => all.reduce((total, outcome) => total + of(outcome), 0);
  console.log(`${all.length} seeds, ${sum(({ steps }) => steps)} steps, in ${seconds.toFixed(0)} s: every rule held`);
  console.log(`  workers that crashed                    ${sum(({ crashes }) => crashes)}`);
  console.log(`  pieces set aside                        ${sum(({ setAside }) => setAside)}`);
  console.log(
    `  calls charged, of them more than once   ${sum(({ billed }) => billed)}, ${sum(({ billedTwice }) => billedTwice)}`,
  );
  const [longest] = all.toSorted((one, other) => other.longestWait - one.longestWait);
  console.log(`  longest wait, in pieces of others begun ${longest?.longestWait ?? 0}, with seed ${longest?.seed}`);
} finally {
  await postgres.close();
}
