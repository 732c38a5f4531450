import { quantiles } from "../../stats/distribution.ts";
import type { ReferencePopulation } from "./reference-population.ts";

type SingleChapters = NonNullable<ReferencePopulation["singleChapters"]>;

/** Steps of a thousandth of the chapters: finer than any percentile that is shown. */
const STEPS = 1000;
const FEWEST = 20;

/**
 * How the composites of single chapters are spread. They are spread wider than the means of ten, so a chapter that is
 * placed among such means stands too near the ends. Undefined when there are too few to tell.
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
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (points[middle]! <= composite) low = middle;
    else high = middle;
  }
  return (100 * (low + (composite - points[low]!) / (points[high]! - points[low]!))) / last;
}

function rounded(value: number): number {
  return Number(value.toFixed(5));
}
