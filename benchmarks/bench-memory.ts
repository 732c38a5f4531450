/**
 * The memory of `fabula bench build` by itself: populations of many novels, whose chapters are a sentence and whose judge draws its
 * scores, so that what is measured is what is kept and not how long judging takes.
 *
 *   npx tsx benchmarks/bench-memory.ts [1000 10000 100000]
 *
 * Prints the peak of each size, in a process of its own, and the processor time.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benchFiles, type ChosenChapter } from "../src/bench/bench-folder.ts";
import type { ChapterScorer } from "../src/bench/scoring.ts";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { seededRandom } from "../src/core/random.ts";
import { scored } from "../src/core/verdict.ts";
import { loadRubric } from "../src/criteria/load-rubric.ts";
import { buildPopulations } from "../src/tasks/bench/build.ts";

const CHAPTERS = 10;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { one: { type: "boolean", default: false } },
});

async function* chapters(novels: number): AsyncGenerator<ChosenChapter> {
  const common = { language: "en", words: 4, sha256: "0".repeat(64), text: "It rained all night." };
  for (let novel = 0; novel < novels; novel++) {
    for (let chapter = 1; chapter <= CHAPTERS; chapter++)
      yield { novel: `novel-${novel}`, writer: `writer-${novel}`, title: `Novel ${novel}`, chapter, ...common };
  }
}

async function drawingJudge(): Promise<ChapterScorer> {
  const rubric = await loadRubric("grader");
  const random = seededRandom(1);
  return {
    ...{ id: "drawn", version: "1", rubric, isDeterministic: true },
    score: async () => {
      const quality = random();
      return Object.fromEntries(rubric.criteria.map(({ id }) => [id, scored(10 * (quality + random()))]));
    },
  };
}

async function measure(novels: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fabula-memory-"));
  try {
    await writeJsonLines(benchFiles(folder).chapters, chapters(novels));
    await buildPopulations([await drawingJudge()], {
      ...{ folder, id: "drawn", description: "", repeats: 1, check: { texts: 0, repeats: 2 }, anchors: null },
      ...{ concurrency: 1, dryRun: false, signal: new AbortController().signal },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { user, system } = process.cpuUsage();
  return `${String(novels).padStart(7)}  ${(process.resourceUsage().maxRSS / 1024).toFixed(0).padStart(7)}  ${((user + system) / 1e6).toFixed(1).padStart(11)}`;
}

if (values.one) console.log(await measure(Number(positionals[0])));
else {
  console.log(" novels  peak MB  processor s");
  for (const size of positionals.length === 0 ? ["1000", "10000", "100000"] : positionals)
    process.stdout.write(
      execFileSync(process.execPath, ["--import", "tsx", fileURLToPath(import.meta.url), "--one", size]),
    );
}
