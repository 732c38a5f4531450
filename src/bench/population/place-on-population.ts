import { countLeading } from "../../core/count-leading.ts";
import {
  type EmpiricalDistribution,
  empiricalDistribution,
  mean,
  quantiles,
  variance,
} from "../../stats/distribution.ts";
import type { NovelSums } from "./novel-scores.ts";
import type { ReferencePopulation } from "./reference-population.ts";

export interface Placement {
  readonly composite: number;
  /** Share of the population at or below, 0–100: the paper's equation 3, which counts all ties. */
  readonly percentile: number;
  readonly dimensionPercentiles: readonly number[];
}

/** Places scores on a population; sorts each dimension once, when it is first needed. */
export function placer(population: ReferencePopulation) {
  const composites = empiricalDistribution(population.novels.map((novel) => novel.composite));
  const sorted: EmpiricalDistribution[] = [];
  const dimensionAt = (dimension: number) => {
    sorted[dimension] ??= empiricalDistribution(population.novels.map((novel) => novel.scores[dimension]!));
    return sorted[dimension];
  };
  const share = (distribution: EmpiricalDistribution, value: number) => 100 * distribution.atOrBelow(value);
  return {
    percentile: (composite: number): number => share(composites, composite),
    dimensionPercentile: (dimension: number, score: number): number => share(dimensionAt(dimension), score),
    /** Null if any dimension has no score, because a text that was not fully judged has no place. */
    place(scores: readonly (number | null)[]): Placement | null {
      const complete = scores.filter((score): score is number => score !== null);
      if (complete.length !== population.dimensions.length) return null;
      const composite = compositeOf(complete, population);
      return {
        composite,
        percentile: share(composites, composite),
        dimensionPercentiles: complete.map((score, dimension) => share(dimensionAt(dimension), score)),
      };
    },
  };
}

type Scale = Pick<ReferencePopulation, "means" | "deviations" | "weights">;

export function compositeOf(scores: readonly number[], scale: Scale): number {
  let composite = 0;
  for (let dimension = 0; dimension < scores.length; dimension++)
    composite += partAt(dimension, scores[dimension]!, scale);
  return composite;
}

/** How much each dimension contributes to a composite; null if it has no score. */
export function partsOfComposite(scores: readonly (number | null)[], scale: Scale): (number | null)[] {
  return scores.map((score, dimension) => (score === null ? null : partAt(dimension, score, scale)));
}

function partAt(dimension: number, score: number, { means, deviations, weights }: Scale): number {
  const deviation = deviations[dimension]!;
  return deviation > 0 ? (weights[dimension]! * (score - means[dimension]!)) / deviation : 0;
}

export interface Peers {
  /** The population, with its composites spread as for texts with this many chapters. */
  readonly peers: ReferencePopulation;
  /** A note to show with a percentile among them. */
  readonly note: string | null;
}

/**
 * The mean of three chapters has a wider spread than the means of ten that a population consists of, so it would be
 * placed too near the ends. How much wider follows from two spreads that the population knows: that of its novels and
 * that of single chapters. Texts of at least as many chapters as the novels are placed among the novels directly.
 */
export function peersOf(chapters: number, population: ReferencePopulation): Peers {
  const { novels, singleChapters } = population;
  /** The share of a chapter's own variance that remains in a novel's mean. */
  const left = mean(novels.map((novel) => 1 / Math.max(1, novel.chapters)));
  if (1 / chapters <= left) return { peers: population, note: null };
  if (!singleChapters) {
    const lacking = chapters === 1 ? "single chapters" : `how far ${chapters} chapters are spread`;
    return { peers: population, note: `this population does not know ${lacking}: build it again` };
  }
  const composites = novels.map(({ composite }) => composite);
  const centre = mean(composites);
  const ofNovels = variance(composites);
  const ofChapters = (variance(singleChapters.quantiles) - ofNovels) / (1 - left);
  if (!(ofChapters > 0 && ofNovels > 0)) return { peers: population, note: null };
  const times = Math.sqrt(1 + (ofChapters * (1 / chapters - left)) / ofNovels);
  return {
    peers: {
      ...population,
      novels: novels.map((novel) => ({ ...novel, composite: centre + times * (novel.composite - centre) })),
    },
    note: `their spread widened to that of ${chapters} chapters`,
  };
}

type SingleChapters = NonNullable<ReferencePopulation["singleChapters"]>;

/** Steps of a thousandth of the chapters, finer than any percentile that is shown. */
const STEPS = 1000;
const FEWEST = 20;

/**
 * The distribution of the composites of single chapters. It is wider than that of the means of ten, among which a
 * single chapter would be placed too near the ends. Undefined if there are too few chapters.
 */
export function singleChapterDistribution(composites: ArrayLike<number>): SingleChapters | undefined {
  if (composites.length < FEWEST) return undefined;
  const steps = Math.min(STEPS, composites.length - 1);
  const shares = Array.from({ length: steps + 1 }, (_, step) => step / steps);
  return { count: composites.length, quantiles: quantiles(composites, shares).map(rounded) };
}

/** The percentile of a single chapter's composite, 0–100. */
export function singleChapterPercentile({ quantiles: points }: SingleChapters, composite: number): number {
  const last = points.length - 1;
  if (composite < points[0]!) return 0;
  if (composite >= points[last]!) return 100;
  const high = countLeading(points, (point) => point <= composite);
  const low = high - 1;
  return (100 * (low + (composite - points[low]!) / (points[high]! - points[low]!))) / last;
}

function rounded(value: number): number {
  return Number(value.toFixed(5));
}

/** Places novels on a population that does not contain them. */
export function anchorsOn(population: ReferencePopulation, sums: NovelSums): ReferencePopulation["novels"] {
  return sums.average(population.dimensions).novels.map((novel) => ({
    ...novel,
    scores: [...novel.scores],
    composite: compositeOf(novel.scores, population),
  }));
}
