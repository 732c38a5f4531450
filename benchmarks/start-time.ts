/**
 * How long a program waits before it can use Fabula: `import "fabula"`, `fabula --version` and the help of the command that
 * loads most, each in a fresh process, beside a process that does nothing. The processor time hardly depends on what else the
 * machine is doing; the time on the clock does, and the targets are for a quiet machine.
 *
 *   npx tsx benchmarks/start-time.ts [--times 15]
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../src/stats/distribution.ts";

const { values } = parseArgs({ options: { times: { type: "string", default: "15" } } });
const dist = join(import.meta.dirname, "..", "dist");
const library = JSON.stringify(pathToFileURL(join(dist, "index.js")).href);
const main = join(dist, "cli", "main.js");
const trials: [string, string[], number | null][] = [
  ["node alone", ["--eval", "0"], null],
  ['import "fabula"', ["--input-type=module", "--eval", `await import(${library})`], 260],
  ["fabula --version", [main, "--version"], 140],
  ["fabula evaluate --help", [main, "evaluate", "--help"], null],
];

/** One fresh process, which writes the processor time it used to a pipe of its own. */
function start(words: readonly string[]): { clock: number; processor: number } {
  const began = performance.now();
  const preload = ["--require", join(import.meta.dirname, "support", "report-processor-time.cjs")];
  const { status, output } = spawnSync(process.execPath, [...preload, ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(output[2] ?? "");
  return { clock: performance.now() - began, processor: Number(output[3]) };
}

let missed = false;
const cell = (milliseconds: number) => `${milliseconds.toFixed(0).padStart(5)} ms`;
for (const [name, words, target] of trials) {
  const starts = Array.from({ length: Number(values.times) }, () => start(words));
  const clock = starts.map((one) => one.clock);
  const middle = median(clock);
  missed ||= target !== null && middle > target;
  console.log(
    `${name.padEnd(22)} ${cell(Math.min(...clock))} fastest ${cell(middle)} median ${cell(median(starts.map(({ processor }) => processor)))} of processor time${target === null ? "" : `   target ${target} ms`}`,
  );
}
process.exitCode = missed ? 1 : 0;
