/**
 * Damages files, replies and requests at random and gives them to every parser that meets what strangers write.
 *
 *   npm run fuzz -- [--minutes 10 | --inputs 10000] [--seed 1] [PARSER...]
 *
 * Exits 1 when a parser crashes, takes two seconds of processor time for an input, or grows by 256 MB. What was found is written
 * to `test/fuzz/found/`, where the tests try it again.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256 } from "../../src/core/hash.ts";
import { seededRandom } from "../../src/core/random.ts";
import { nextInput, tryInput } from "./fuzz.ts";
import { fuzzTargets } from "./targets.ts";

// As in the processes that parse.
process.on("unhandledRejection", () => {});
const MOST_GROWTH_MEGABYTES = 256;
const { values, positionals } = parseArgs({
  options: { minutes: { type: "string" }, inputs: { type: "string" }, seed: { type: "string", default: "1" } },
  allowPositionals: true,
});
const all = await fuzzTargets();
const targets = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const mostInputs = values.inputs === undefined ? Number.POSITIVE_INFINITY : Number(values.inputs);
const minutes =
  values.minutes === undefined ? (values.inputs === undefined ? 10 : Number.POSITIVE_INFINITY) : Number(values.minutes);
const secondsEach = (minutes * 60) / targets.length;

for (const [position, target] of targets.entries()) {
  const random = seededRandom(Number(values.seed) * 1000 + position);
  const started = performance.now();
  const before = process.memoryUsage.rss();
  let inputs = 0;
  let found = 0;
  while (inputs < mostInputs && performance.now() - started < secondsEach * 1000) {
    const finding = await tryInput(target, nextInput(target, random));
    inputs++;
    if (finding === null) continue;
    found++;
    mkdirSync("test/fuzz/found", { recursive: true });
    const path = join("test/fuzz/found", `${target.name}-${sha256(finding.bytes).slice(0, 12)}`);
    writeFileSync(path, finding.bytes);
    console.log(`${path}: ${finding.what}`);
  }
  const growth = Math.round((process.memoryUsage.rss() - before) / 1e6);
  const seconds = (performance.now() - started) / 1000;
  const speed = Math.round(inputs / seconds);
  console.log(
    `${target.name}: ${inputs} inputs in ${seconds.toFixed(0)} s (${speed} a second), ${found} found, memory ${growth >= 0 ? "+" : ""}${growth} MB`,
  );
  if (found > 0 || growth > MOST_GROWTH_MEGABYTES) process.exitCode = 1;
}
