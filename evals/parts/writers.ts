import { z } from "zod";
import { jsonLines } from "../../src/core/json-lines.ts";
import { seededRandom } from "../../src/core/random.ts";
import { kendallTau } from "../../src/stats/correlation/kendall-tau.ts";
import { resampledKendall } from "../../src/stats/correlation/resampled-correlation.ts";
import { drawPositions, percentileBootstrap } from "../../src/stats/resampling/percentile-bootstrap.ts";
import { rankScoredWriters } from "../../src/workflows/bench-population.ts";
import { defineEval, type Figure } from "../part.ts";

const storySchema = z.looseObject({
  writer: z.string(),
  story: z.string(),
  story_final: z.number().nullable(),
  story_chapter_average: z.number().nullable(),
});

/** The benchmark's own pipeline over published scores: does its order agree with the data's own grades? */
export default defineEval({
  id: "writers",
  title: "Novelist benchmark over published scores",
  data: { "judged-chapters": "the judged chapters, as JSONL" },
  async run({ "judged-chapters": path }) {
    const { board } = await rankScoredWriters({
      scores: [path],
      rubric: "longform",
      population: null,
      second: null,
      seed: 1,
    });
    const averages = await storyMeans(path, (row) => row.story_chapter_average);
    const finals = await storyMeans(path, (row) => row.story_final);
    const levels = new Map(board.rows.map((row) => [row.writer, row.level]));
    return [
      figure(
        "order-chapter-averages",
        "Kendall τ of writers' levels with the data's own chapter averages",
        levels,
        averages,
      ),
      figure("order-story-finals", "Kendall τ of writers' levels with the data's own story finals", levels, finals, {
        name: "the data's own chapter averages against its story finals",
        value: agreement(averages, finals),
      }),
    ];
  },
});

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
