import { describe, expect, it } from "vitest";
import { seatOf } from "../../bench/population/panel.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ScoredChapter } from "../../bench/scored-chapter.ts";
import type { ChapterScorer } from "../../bench/scoring/chapter-scorer.ts";
import { seededRandom } from "../../core/random.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { SIMULATED_NOISE, simulatedHumans } from "../../testing/simulated-writers.ts";
import { textPlacer } from "./place.ts";
import { populationFromScores } from "./population.ts";

const rubric = await loadRubric("novel-bench-en");
const { signal } = new AbortController();
const humans: ScoredChapter[] = simulatedHumans(
  { novels: 200, chapters: 10, dimensions: rubric.criteria.length },
  SIMULATED_NOISE,
  seededRandom(3),
);
const { population } = populationFromScores(humans, {
  id: "simulated",
  description: "simulated novels",
  judge: { id: "simulated", version: "1" },
  rubric,
});

/** Gives each chapter the scores that it has in the population: the text is its place in the list. */
const scorer: ChapterScorer = {
  id: "simulated",
  version: "1",
  rubric,
  score: async (text) =>
    Object.fromEntries(rubric.criteria.map(({ id }, at) => [id, scored(humans[Number(text)]!.scores[at]!)])),
};
const place = textPlacer([scorer], population);

const shareBeyond = (percentiles: readonly number[]) => ({
  low: percentiles.filter((percentile) => percentile < 10).length / percentiles.length,
  high: percentiles.filter((percentile) => percentile > 90).length / percentiles.length,
});

async function percentileOf(texts: string | readonly string[]): Promise<number> {
  const { percentile } = await place("x", texts, signal);
  return percentile.kind === "scored" ? percentile.score : Number.NaN;
}

describe("a panel with a judge that gives no percentile for a text", () => {
  it("gives none either, and says why", async () => {
    const caveat = "outside what the grader learnt from";
    const other = { id: "other", version: "1" };
    const panel: ReferencePopulation = {
      ...population,
      panel: [seatOf(population), { ...seatOf(population), judge: other }],
      dimensions: ["simulated", "other"],
      ...{ means: [0, 0], deviations: [1, 1], weights: [0.5, 0.5] },
      novels: population.novels.map((novel) => ({ ...novel, scores: [novel.composite, novel.composite] })),
    };
    const grader: ChapterScorer = { ...scorer, speaker: "a grader", caveat: () => caveat };
    const alone = await textPlacer([grader], population)("x", "0", signal);
    expect(alone.percentile).toEqual(unscored(caveat));
    const both = await textPlacer([grader, { ...scorer, ...other }], panel)("x", "0", signal);
    expect(both).toMatchObject({ percentile: unscored(`simulated: ${caveat}`), speaker: "a grader", caveat });
    expect(both.judges!.simulated!.percentile).toEqual(unscored(`simulated: ${caveat}`));
    expect(both.judges!.other!.percentile.kind).toBe("scored");
  });
});

describe("placing texts on their own population", () => {
  it("puts a tenth of the single chapters below 10 and a tenth above 90", async () => {
    const percentiles = await Promise.all(humans.map((_, index) => percentileOf(String(index))));
    const { low, high } = shareBeyond(percentiles);
    expect(low).toBeCloseTo(0.1, 1.5);
    expect(high).toBeCloseTo(0.1, 1.5);
  });

  it("puts a novel among novels by the mean of its chapters, and says what it stands among", async () => {
    const novels = Array.from({ length: 200 }, (_, novel) =>
      Array.from({ length: 10 }, (__, at) => String(novel * 10 + at)),
    );
    const { low, high } = shareBeyond(await Promise.all(novels.map(percentileOf)));
    expect(low).toBeCloseTo(0.1, 1.5);
    expect(high).toBeCloseTo(0.1, 1.5);
    expect(await place("x", novels[0]!, signal)).toMatchObject({ among: "novels", chapters: 10 });
    expect(await place("x", "0", signal)).toMatchObject({ among: "single chapters", chapters: 1 });
  });
});
