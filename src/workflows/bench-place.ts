import { placer } from "../bench/population/place-on-population.ts";
import type { ReferencePopulation } from "../bench/population/reference-population.ts";
import { type ChapterScorer, scoreRow } from "../bench/scoring/chapter-scorer.ts";
import { FabulaError } from "../core/errors.ts";
import { scored, unscored, type Verdict } from "../core/verdict.ts";

export interface PlacedText {
  readonly id: string;
  /** Percentile among the population, 0–100. */
  readonly percentile: Verdict;
  readonly composite: number | null;
  readonly dimensions: Readonly<Record<string, Verdict>>;
}

/** Places texts, one after another, on a population that the same judge has built. */
export function textPlacer(scorer: ChapterScorer, population: ReferencePopulation) {
  if (scorer.id !== population.judge.id) {
    throw new FabulaError(
      "E_POPULATION_JUDGE",
      `The population "${population.id}" was judged by ${population.judge.id}, not by ${scorer.id}: percentiles only mean something with the same judge.`,
    );
  }
  if (scorer.version !== population.judge.version) {
    throw new FabulaError(
      "E_POPULATION_STALE",
      `The population "${population.id}" was built by another version of ${scorer.id} (${population.judge.version}, now ${scorer.version}): build it again with \`fabula bench build\`.`,
    );
  }
  const { place } = placer(population);
  const order = population.dimensions.map((dimension) =>
    scorer.rubric.criteria.findIndex((criterion) => criterion.id === dimension),
  );
  return async (id: string, text: string, signal: AbortSignal): Promise<PlacedText> => {
    const dimensions = await scorer.score(text, 0, signal);
    const row = scoreRow(dimensions, scorer.rubric);
    const placement = place(order.map((index) => row[index] ?? null));
    const gap = Object.values(dimensions).find((verdict) => verdict.kind === "unscored");
    return {
      id,
      percentile: placement
        ? scored(placement.percentile)
        : unscored(gap?.kind === "unscored" ? gap.reason : "a dimension has no score"),
      composite: placement?.composite ?? null,
      dimensions,
    };
  };
}
