/**
 * Damages files, replies and requests at random and gives them to every parser that meets what strangers write, in processes
 * that are watched from outside.
 *
 *   npm run fuzz -- [--minutes 10 [--fixed-corpus] | --inputs 10000] [--seed 1] [--processes 2] [PARSER...]
 *
 * With --minutes, an input that reaches code that none before it reached is kept for that run and damaged further; --fixed-corpus
 * counts what is reached without doing so, for comparison. With --inputs, which is for CI, the code is not watched.
 * Exits 1 when a parser crashes, takes two seconds of processor time for an input, or grows by 256 MB. What was found is written
 * to `test/fuzz/found/`, where the tests try it again.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256 } from "../../src/core/hash.ts";
import { inputNumber, type KeptInput } from "./fuzz.ts";
import { fuzzTargets, type Target } from "./targets.ts";
import { WatchedChild } from "./watched-child.ts";

const FOUND = "test/fuzz/found";
const { values, positionals } = parseArgs({
  options: {
    minutes: { type: "string" },
    inputs: { type: "string" },
    "fixed-corpus": { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: String(Math.min(4, availableParallelism())) },
  },
  allowPositionals: true,
});
const all = await fuzzTargets();
const targets = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const inputs = values.inputs === undefined ? Number.POSITIVE_INFINITY : Number(values.inputs);
const minutes = values.minutes ?? (values.inputs === undefined ? "10" : "Infinity");
const processes = Math.min(Number(values.processes), targets.length);
const millisecondsEach = (Number(minutes) * 60_000 * processes) / targets.length;
const seed = Number(values.seed);
const guidance = values.inputs !== undefined ? "none" : values["fixed-corpus"] ? "watched" : "guided";

async function fuzz(target: Target, child: WatchedChild): Promise<WatchedChild> {
  const started = performance.now();
  let [current, next, found, growth, reached] = [child, 0, 0, 0, 0];
  const kept: KeptInput[] = [];
  let isCareful = false;
  const keep = (bytes: Uint8Array, what: string) => {
    found++;
    mkdirSync(FOUND, { recursive: true });
    const path = join(FOUND, `${target.name}-${sha256(bytes).slice(0, 12)}`);
    writeFileSync(path, bytes);
    console.log(`${path}: ${what}`);
  };
  for (;;) {
    const milliseconds = millisecondsEach - (performance.now() - started);
    const share = {
      target: target.name,
      seed,
      from: next,
      to: inputs,
      milliseconds,
      isCareful,
      guidance,
      kept,
    } as const;
    const result = await current.perform(share);
    next = result.next;
    growth = Math.max(growth, result.growthMegabytes);
    reached = Math.max(reached, result.reached);
    kept.push(...result.kept);
    for (const { bytes, what } of result.findings) keep(bytes, what);
    if (result.ended === null) break;
    console.log(`${target.name}: after input ${next}, ${result.ended}`);
    process.exitCode = 1;
    current = new WatchedChild();
    // Tried again one by one, it shows which input it was.
    if (isCareful) keep(inputNumber(target, seed, next++, guidance === "guided" ? kept : []), result.ended);
    isCareful = !isCareful;
  }
  const seconds = (performance.now() - started) / 1000;
  const code = reached > 0 ? `, ${reached} stretches of code reached, ${kept.length} inputs that reached more` : "";
  const speed = `${next} inputs in ${seconds.toFixed(0)} s (${Math.round(next / seconds)} a second)`;
  console.log(`${target.name}: ${speed}, ${found} found, memory +${Math.round(growth)} MB at most${code}`);
  if (found > 0) process.exitCode = 1;
  return current;
}

const waiting = [...targets];
await Promise.all(
  Array.from({ length: processes }, async () => {
    let child = new WatchedChild();
    for (let target = waiting.shift(); target; target = waiting.shift()) child = await fuzz(target, child);
    child.end();
  }),
);
console.log(`load average ${loadavg()[0]!.toFixed(1)} with ${processes} processes`);
