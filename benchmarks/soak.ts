/**
 * What a server suffers over a long time without losing anything: jobs on a provider with every simulated fault, the server
 * killed and restarted at random for the first half, its memory watched for the second. Exits with 1 when a check fails.
 *
 *   npm run benchmark:soak -- [--minutes 60] [--seed 1]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../src/core/random.ts";
import { soak } from "./support/soak/soak.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
/** Memory is read twice a minute and only in the second half: a shorter soak has nothing to compare. */
const LEAST_MINUTES = 6;
/** What is held after a collection, the median of the last third against the first: lists of books and jobs grow a little. */
const MOST_GROWTH = 1.15;

const minutes = Number(values.minutes);
if (!(minutes >= LEAST_MINUTES)) {
  console.error(`A soak takes at least ${LEAST_MINUTES} minutes: give --minutes ${LEAST_MINUTES} or more.`);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), "fabula-soak-"));
const seed = Number(values.seed);
const outcome = await soak({
  ...{ folder, minutes, seed, random: seededRandom(seed) },
  onEvent: (words) => console.error(`  ${new Date().toISOString()} ${words}`),
});
await rm(folder, { recursive: true, force: true });

const { jobs, bills, memory, faults } = outcome;
const growth = memory.lastMegabytes / memory.firstMegabytes;
const figures: readonly (readonly [string, string, boolean?])[] = [
  [
    "kills, orderly restarts, pauses, cancels",
    `${outcome.kills}, ${outcome.restarts}, ${outcome.pauses}, ${outcome.cancels}`,
  ],
  ["requests, faults", `${outcome.requests}, ${Object.values(faults).reduce((sum, count) => sum + count, 0)}`],
  [
    "kinds of fault seen",
    `${Object.values(faults).filter((count) => count > 0).length} of ${Object.keys(faults).length}`,
  ],
  [
    "jobs added, done, cancelled, refused by the model",
    `${jobs.added}, ${jobs.done}, ${jobs.cancelled}, ${jobs.refused}`,
    jobs.added > 0,
  ],
  ["jobs without an end", String(outcome.unfinished.length), outcome.unfinished.length === 0],
  ["reports of done jobs read", String(jobs.reports), jobs.reports === jobs.done],
  ["wrong states after a restart, failed requests", String(outcome.problems.length), outcome.problems.length === 0],
  ["answers in the store", String(bills.stored), bills.stored > 0],
  ["answers lost", String(bills.lost), bills.lost === 0],
  ["stored, yet asked again", String(bills.storedButAskedAgain), bills.storedButAskedAgain === 0],
  ["billed twice, under way at a kill", String(bills.billedTwice.atKill)],
  ["billed twice, between two tries at a pause", String(bills.billedTwice.atPause)],
  ["billed twice otherwise", String(bills.billedTwice.otherwise), bills.billedTwice.otherwise === 0],
  [
    "memory held, first and last third",
    `${megabytes(memory.firstMegabytes)}, ${megabytes(memory.lastMegabytes)}`,
    growth <= MOST_GROWTH,
  ],
  [
    "memory held, slope per hour; peak with garbage",
    `${megabytes(memory.slopeMegabytesPerHour)}; ${megabytes(memory.peakMegabytes)}`,
  ],
];
console.log(`soak of ${minutes} minutes, seed ${seed}; memory over the last ${memory.minutes.toFixed(0)} minutes:`);
for (const [name, value, isRight] of figures) {
  const verdict = isRight === undefined ? "" : isRight ? "  ok" : "  FAILED";
  console.log(`  ${name.padEnd(50)}${value}${verdict}`);
}
for (const words of [...outcome.unfinished, ...outcome.problems]) console.error(`  ${words}`);
if (figures.some(([, , isRight]) => isRight === false)) process.exitCode = 1;

function megabytes(value: number): string {
  return `${value.toFixed(0)} MB`;
}
