/**
 * How long the built command takes for a novel, offline, with letter, map, line notes and HTML report, and how much memory:
 *
 *   npm run build && npx tsx benchmarks/offline-letter.ts NOVEL [--repeats 5]
 *
 * The first run is not counted. A process of Node that does nothing is measured beside it: it says how quiet the machine is.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { median } from "../src/stats/distribution.ts";
import { readBook } from "../src/text/read-book.ts";

const { values, positionals } = parseArgs({
  options: { repeats: { type: "string", default: "5" } },
  allowPositionals: true,
});
const [novel] = positionals;
if (novel === undefined) throw new Error("Give a novel: npx tsx benchmarks/offline-letter.ts novel.epub");
const folder = await mkdtemp(join(tmpdir(), "fabula-letter-"));
try {
  const { title, words } = await readBook(novel);
  const command = ["dist/cli/main.js", "evaluate", novel, "--quiet", "--out", join(folder, "report.html")];
  const evaluations = await measured(command);
  const nothing = await measured(["-e", "0"]);
  console.log(
    `${title}, ${words.toLocaleString("en-GB")} words: ${inWords(evaluations)}; a process that does nothing: ${inWords(nothing)}`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Usage {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
}

async function measured(words: readonly string[]): Promise<Usage[]> {
  const runs: Usage[] = [];
  for (let at = 0; at <= Number(values.repeats); at++) {
    const started = performance.now();
    const child = spawn(process.execPath, ["--require", "./benchmarks/support/report-usage.cjs", ...words], {
      stdio: ["ignore", "ignore", "inherit", "pipe"],
    });
    const [usage, [code]] = await Promise.all([text(child.stdio[3] as never), once(child, "exit")]);
    if (code !== 0) throw new Error(`the command ended with ${code}`);
    if (at > 0) runs.push({ ...JSON.parse(usage), seconds: (performance.now() - started) / 1000 });
  }
  return runs;
}

function inWords(runs: readonly Usage[]): string {
  const of = (pick: (usage: Usage) => number) => median(runs.map(pick));
  return `${of(({ seconds }) => seconds).toFixed(2)} s, ${of(({ processorSeconds }) => processorSeconds).toFixed(2)} s of processor time, ${of(({ peakMegabytes }) => peakMegabytes).toFixed(0)} MB`;
}
