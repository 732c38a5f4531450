/**
 * Makes the population that ships for English again: the grader on ten chapters of each novel; scores only.
 *
 *   npm run reference:bench -- NOVELS...      (the EPUBs, or a folder of them)
 *
 * To be run whenever the grader's weights change: a population is tied to the version of its judge.
 */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENGLISH_POPULATION } from "../src/bench/population/reference-population.ts";
import { assetPath } from "../src/core/assets.ts";
import { shippedPrompts } from "../src/prompts/own-prompts.ts";
import { buildPopulations } from "../src/tasks/bench/build.ts";
import { corpusFiles } from "../src/tasks/bench/corpus.ts";
import { prepareBench } from "../src/tasks/bench/prepare.ts";
import { scorerNamed } from "../src/tasks/bench/scorer.ts";

const operands = process.argv.slice(2);
if (operands.length === 0) throw new Error("Usage: npm run reference:bench -- NOVELS...");
const folder = await mkdtemp(join(tmpdir(), "fabula-classics-"));
const { signal } = new AbortController();
try {
  const files = await corpusFiles(operands);
  const prepared = await prepareBench({
    files,
    folder,
    chapters: 10,
    minimumWorks: 1,
    similarity: 0.9,
    seed: 1,
    signal,
  });
  const [built] = await buildPopulations(
    [await scorerNamed("grader", { rubric: "grader", prompts: shippedPrompts }, null)],
    {
      folder,
      id: ENGLISH_POPULATION,
      repeats: 1,
      check: { texts: 0, repeats: 2 },
      anchors: null,
      description: "published novels in English, in the public domain",
      concurrency: 1,
      dryRun: false,
      signal,
    },
  );
  if (!built) throw new Error("nothing was built");
  await copyFile(built.file, assetPath("reference", `${ENGLISH_POPULATION}.json`));
  console.log(
    `${prepared.novels} novels, ${prepared.excluded.length} left out, judge version ${built.population.judge.version}`,
  );
  for (const { title, reason } of prepared.excluded) console.log(`  ${title}: ${reason}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
