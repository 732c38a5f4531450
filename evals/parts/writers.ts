import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { jsonLines } from "../../src/core/json-lines.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { kendallTau, resampledKendall } from "../../src/stats/correlation.ts";
import { drawPositions, percentileBootstrap } from "../../src/stats/resampling.ts";
import { rankScoredWriters } from "../../src/tasks/bench/population.ts";
import { leaveOutWriters } from "../../training/grader/folds.ts";
import { loadGraderCorpus } from "../../training/grader/grader-from-files.ts";
import { OUTPUTS } from "../../training/grader/judged-chapters.ts";
import { predictHeldOut } from "../../training/grader/predict-chapters.ts";
import { SHIPPED_SETTINGS } from "../../training/grader/settings.ts";
import { defineEval, type Figure } from "../part.ts";

const WRITER_FOLDS = 8;

const storySchema = z.looseObject({
  writer: z.string(),
  story: z.string(),
  story_final: z.number().nullable(),
  story_chapter_average: z.number().nullable(),
});

/** The benchmark's own pipeline over scores: does its order agree with the data's own grades? */
export default defineEval({
  id: "writers",
  title: "Novelist benchmark over published scores and with the embedded grader",
  data: { "judged-chapters": "the judged chapters, as JSONL" },
  async run({ "judged-chapters": path }, onProgress) {
    const averages = await storyMeans(path, (row) => row.story_chapter_average);
    const finals = await storyMeans(path, (row) => row.story_final);
    const ceiling = {
      name: "the data's own chapter averages against its story finals",
      value: agreement(averages, finals),
    };
    const published = await levelsFrom(path, "longform");
    const grader = await graderLevels(path, onProgress);
    return [
      figure(
        "order-chapter-averages",
        "Kendall τ of writers' levels with the data's own chapter averages",
        published,
        averages,
      ),
      figure(
        "order-story-finals",
        "Kendall τ of writers' levels with the data's own story finals",
        published,
        finals,
        ceiling,
      ),
      figure(
        "grader-order-chapter-averages",
        "Kendall τ of levels by the embedded grader, writers never seen, with the data's own chapter averages",
        grader,
        averages,
      ),
      figure(
        "grader-order-story-finals",
        "Kendall τ of levels by the embedded grader, writers never seen, with the data's own story finals",
        grader,
        finals,
        ceiling,
      ),
    ];
  },
});

async function levelsFrom(scores: string, rubric: string): Promise<Grades> {
  const { board } = await rankScoredWriters({ scores: [scores], rubric, population: null, second: null, seed: 1 });
  return new Map(board.rows.map((row) => [row.writer, row.level]));
}

/** Every chapter scored by an embedded grader that never saw its writer, then ranked as any file of scores would be. */
async function graderLevels(path: string, onProgress: ProgressListener): Promise<Grades> {
  const corpus = await loadGraderCorpus(path);
  const criteria = OUTPUTS.slice(1);
  const { whole } = predictHeldOut(
    corpus,
    leaveOutWriters(corpus.chapters, WRITER_FOLDS, seededRandom(1)),
    SHIPPED_SETTINGS,
    criteria.map((id) => OUTPUTS.indexOf(id)),
    (done, total) => onProgress({ stage: "Leaving out writers", done, total }),
  );
  const lines = whole.flatMap(({ chapter, predictions }) => {
    const { names, story } = corpus.chapters[chapter]!;
    const scores = Object.fromEntries(criteria.map((id, slot) => [id, predictions[slot]!]));
    return names.map((writer) => JSON.stringify({ writer, story, chapter, scores }));
  });
  const folder = await mkdtemp(join(tmpdir(), "fabula-writers-"));
  try {
    const file = join(folder, "scores.jsonl");
    await writeFile(file, lines.join("\n"));
    return await levelsFrom(file, "grader");
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function storyMeans(path: string, pick: (row: z.infer<typeof storySchema>) => number | null) {
  const stories = new Map<string, Map<string, number>>();
  for await (const row of jsonLines(path, storySchema)) {
    const grade = pick(row);
    if (grade === null) continue;
    const own = stories.get(row.writer) ?? new Map<string, number>();
    own.set(row.story, grade);
    stories.set(row.writer, own);
  }
  return new Map(
    [...stories].map(([writer, own]) => [writer, [...own.values()].reduce((a, b) => a + b, 0) / own.size]),
  );
}

type Grades = ReadonlyMap<string, number>;

function paired(left: Grades, right: Grades): [number[], number[]] {
  const shared = [...left.keys()].filter((writer) => right.has(writer));
  return [shared.map((writer) => left.get(writer)!), shared.map((writer) => right.get(writer)!)];
}

function agreement(left: Grades, right: Grades): number {
  const { value } = kendallTau(...paired(left, right));
  if (value === null) throw new Error("the grades of the data do not vary");
  return value;
}

function figure(id: string, name: string, levels: Grades, grades: Grades, compare?: Figure["compare"]): Figure {
  const [left, right] = paired(levels, grades);
  const { interval } = percentileBootstrap({
    draw: drawPositions(left.length),
    statistic: resampledKendall(left, right),
    random: seededRandom(1),
  });
  return {
    id,
    name,
    value: agreement(levels, grades),
    interval: interval ? [interval[0], interval[1]] : null,
    n: left.length,
    better: "higher",
    ...(compare && { compare }),
  };
}
