/**
 * How long a program waits before it can use Fabula: `import "fabula"` and `fabula --version`, each in a fresh process, the
 * fastest and the median of several, beside a process that does nothing.
 *
 *   npx tsx benchmarks/start-time.ts [--times 15]
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../src/stats/distribution/quantile.ts";

const { values } = parseArgs({ options: { times: { type: "string", default: "15" } } });
const dist = join(import.meta.dirname, "..", "dist");
const library = JSON.stringify(pathToFileURL(join(dist, "index.js")).href);
const trials: [string, string[], number | null][] = [
  ["node alone", ["--eval", "0"], null],
  ['import "fabula"', ["--input-type=module", "--eval", `await import(${library})`], 300],
  ["fabula --version", [join(dist, "cli", "main.js"), "--version"], 150],
];

let missed = false;
for (const [name, words, target] of trials) {
  const times = Array.from({ length: Number(values.times) }, () => {
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - began;
  }).sort((left, right) => left - right);
  const middle = median(times);
  missed ||= target !== null && middle > target;
  console.log(
    `${name.padEnd(18)} ${times[0]!.toFixed(0).padStart(5)} ms fastest ${middle.toFixed(0).padStart(5)} ms median${target === null ? "" : `   target ${target} ms`}`,
  );
}
process.exitCode = missed ? 1 : 0;
