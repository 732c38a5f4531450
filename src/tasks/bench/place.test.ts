import { describe, expect, it } from "vitest";
import type { ScoredChapter } from "../../bench/population/novel-scores.ts";
import { memberOf } from "../../bench/population/panel.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../bench/scoring.ts";
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

/** Gives each chapter the scores it has in the population; the text is its index in the list. */
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
      panel: [memberOf(population), { ...memberOf(population), judge: other }],
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

  it("puts a tenth of the books of two chapters below 10 and above 90, though the novels have ten", async () => {
    const noisy = simulatedHumans(
      { novels: 400, chapters: 10, dimensions: rubric.criteria.length },
      { ...SIMULATED_NOISE, human: 0.6, chapter: 0.8 },
      seededRandom(5),
    );
    const made = { id: "noisy", description: "", judge: { id: "simulated", version: "1" }, rubric };
    const known = populationFromScores(noisy, made).population;
    const own: ChapterScorer = {
      ...scorer,
      score: async (text) =>
        Object.fromEntries(rubric.criteria.map(({ id }, at) => [id, scored(noisy[Number(text)]!.scores[at]!)])),
    };
    const placeNoisy = textPlacer([own], known);
    const books = await Promise.all(
      Array.from({ length: 400 }, (_, novel) => placeNoisy("x", [String(10 * novel), String(10 * novel + 1)], signal)),
    );
    const { low, high } = shareBeyond(
      books.map(({ percentile }) => (percentile.kind === "scored" ? percentile.score : Number.NaN)),
    );
    for (const share of [low, high]) {
      expect(share).toBeGreaterThan(0.07);
      expect(share).toBeLessThan(0.125);
    }
    expect(books[0]!.reference).toContain("spread widened to that of 2 chapters");
    const { singleChapters: _, ...unknown } = known;
    const { reference } = await textPlacer([own], unknown)("x", ["0", "1"], signal);
    expect(reference).toContain("does not know how far 2 chapters are spread");
  });

  it("gives a range with its lower end first where a dimension counts against the text", async () => {
    const weights = population.weights.map((weight, at) => (at === 0 ? -2 : weight));
    const wide: ChapterScorer = {
      ...scorer,
      score: async () =>
        Object.fromEntries(rubric.criteria.map(({ id }, at) => [id, scored(3, at === 0 ? [2.5, 3.5] : [2.99, 3.01])])),
    };
    const { percentile } = await textPlacer([wide], { ...population, weights })("x", "any", signal);
    if (percentile.kind !== "scored" || !percentile.interval) throw new Error("there is no range");
    const [low, high] = percentile.interval;
    expect(low).toBeLessThan(percentile.score);
    expect(high).toBeGreaterThan(percentile.score);
  });
});
