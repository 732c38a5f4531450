/**
 * How fast the statistics are: Kendall's τ-b on a million pairs, without ties and on five levels, beside scipy's compiled
 * one when a Python with scipy is named; 10,000 bootstrap resamples of τ over 150 items; and how τ grows with the pairs.
 *
 *   npx tsx benchmarks/statistics.ts [--python /usr/bin/python3]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../src/core/random.ts";
import { drawPositions, kendallTau, percentileBootstrap, resampledKendall } from "../src/stats/index.ts";

const PAIRS = 1_000_000;
const ROUNDS = 5;

const { values } = parseArgs({ options: { python: { type: "string" } } });
const random = seededRandom(1);
const left = Float64Array.from({ length: PAIRS }, random);
const right = left.map((value) => value + random());
const columns = {
  "without ties": [left, right],
  "five levels": [left.map((value) => Math.floor(value * 5)), right.map((value) => Math.floor(value * 2.5))],
} as const;

/** Round by round in turn, so that a busy moment of the machine does not fall on one side alone; the fastest counts. */
for (const [name, [x, y]] of Object.entries(columns)) {
  const beside = values.python === undefined ? null : scipyBeside(values.python, x, y);
  let fastest = Number.POSITIVE_INFINITY;
  let fastestBeside = Number.POSITIVE_INFINITY;
  let agrees = true;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const { value } = kendallTau(x, y);
    fastest = Math.min(fastest, performance.now() - started);
    const other = beside?.measure();
    if (other) {
      fastestBeside = Math.min(fastestBeside, other.milliseconds);
      agrees &&= value !== null && Math.abs(other.tau - value) < 1e-9;
    }
  }
  beside?.end();
  const comparison = beside
    ? `; scipy ${(fastestBeside / 1000).toFixed(3)} s; ratio ${(fastest / fastestBeside).toFixed(2)}; ${agrees ? "same τ to 1e-9" : "DIFFERENT τ"}`
    : "";
  console.log(`kendall, 1,000,000 pairs, ${name}: ${(fastest / 1000).toFixed(3)} s${comparison}`);
}

for (const pairs of [62_500, 250_000, 1_000_000]) {
  const started = performance.now();
  kendallTau(left.subarray(0, pairs), right.subarray(0, pairs));
  console.log(
    `kendall, ${pairs.toLocaleString("en-GB")} pairs: ${((performance.now() - started) / 1000).toFixed(3)} s`,
  );
}

const started = performance.now();
percentileBootstrap({
  draw: drawPositions(150),
  statistic: resampledKendall(left.subarray(0, 150), right.subarray(0, 150)),
  random,
  resamples: 10_000,
});
console.log(`bootstrap of τ, 10,000 resamples over 150 items: ${((performance.now() - started) / 1000).toFixed(3)} s`);

/** The same columns in a Python process of their own, timed inside it. */
function scipyBeside(python: string, x: Float64Array, y: Float64Array) {
  const folder = mkdtempSync(join(tmpdir(), "fabula-statistics-"));
  const [leftFile, rightFile] = [join(folder, "x.f64"), join(folder, "y.f64")];
  writeFileSync(leftFile, x);
  writeFileSync(rightFile, y);
  const program = [
    "import sys, time, numpy, scipy.stats, warnings",
    "warnings.simplefilter('ignore')",
    "x, y = (numpy.fromfile(name) for name in sys.argv[1:])",
    "t = time.perf_counter(); tau = scipy.stats.kendalltau(x, y)[0]; print(tau, 1000 * (time.perf_counter() - t))",
  ].join("\n");
  return {
    measure: () => {
      const words = execFileSync(python, ["-c", program, leftFile, rightFile], { encoding: "utf8" }).trim().split(" ");
      return { tau: Number(words[0]), milliseconds: Number(words[1]) };
    },
    end: () => rmSync(folder, { recursive: true }),
  };
}
