/**
 * How long `fabula qa score` takes for exact match, F1, ROUGE-L and METEOR on a file of answers, start of the program and
 * reading of WordNet included; and how that compares with another implementation on the same machine at the same moment.
 *
 *   npx tsx benchmarks/answer-metrics.ts --in predictions.jsonl [--runs 5] [--reference "COMMAND"]
 *
 * COMMAND is given the file as its last word and prints one JSON object with any of em, f1, rouge-l, meteor. The two take
 * turns, so that a busy machine slows both.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { median } from "../src/stats/index.ts";

const METRICS = "em,f1,rouge-l,meteor";
const { values } = parseArgs({
  options: { in: { type: "string" }, runs: { type: "string", default: "5" }, reference: { type: "string" } },
});
if (values.in === undefined) throw new Error("give the answers with --in FILE");
const file = values.in;
const command = fileURLToPath(new URL(join("..", "dist", "cli", "main.js"), import.meta.url));
const [program, ...words] = values.reference?.split(" ") ?? [];

const ours: number[] = [];
const theirs: number[] = [];
let ourMeans: Record<string, number> = {};
let theirMeans: Record<string, number> = {};
for (let run = 0; run < Number(values.runs); run++) {
  const own = timed(process.execPath, [command, "qa", "score", "--in", file, "--metrics", METRICS, "--json"]);
  ours.push(own.seconds);
  ourMeans = z.object({ metrics: z.record(z.string(), z.number()) }).parse(own.output).metrics;
  if (program === undefined) continue;
  const other = timed(program, [...words, file]);
  theirs.push(other.seconds);
  theirMeans = z.record(z.string(), z.number()).parse(other.output);
}

console.log(`fabula     ${seconds(ours)}`);
if (theirs.length > 0) {
  const ratios = ours.map((time, run) => time / theirs[run]!);
  console.log(`reference  ${seconds(theirs)}`);
  console.log(`ratio      ${median(ratios).toFixed(3)}`);
}
for (const [id, mean] of Object.entries(ourMeans)) {
  const other = theirMeans[id];
  const beside = other === undefined ? "" : `  reference ${other.toFixed(5)}  difference ${(mean - other).toFixed(5)}`;
  console.log(`${id.padEnd(10)} ${mean.toFixed(5)}${beside}`);
}

function timed(executable: string, arguments_: readonly string[]): { seconds: number; output: unknown } {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(executable, arguments_, { encoding: "utf8", maxBuffer: 1e8 });
  const elapsed = (performance.now() - start) / 1000;
  if (error) throw error;
  if (status !== 0) throw new Error(`${executable} failed: ${stderr.slice(-500)}`);
  return { seconds: elapsed, output: JSON.parse(stdout) };
}

function seconds(times: readonly number[]): string {
  return `${median(times).toFixed(2)} s (median of ${times.length}; ${Math.min(...times).toFixed(2)}–${Math.max(...times).toFixed(2)})`;
}
