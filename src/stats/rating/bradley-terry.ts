import type { UndefinedStatistic } from "../statistic.ts";
import { type Comparison, fitPairedComparisons, type Strength } from "./paired-comparisons.ts";

/** Bradley and Terry (1952): the log-odds of a win is the difference of the strengths. */
export function bradleyTerry(
  comparisons: readonly Comparison[],
  options: { readonly level?: number } = {},
): readonly Strength[] | UndefinedStatistic {
  const chance = (difference: number) => 1 / (1 + Math.exp(-difference));
  const slope = (difference: number) => chance(difference) * (1 - chance(difference));
  return fitPairedComparisons(comparisons, { chance, slope }, options.level ?? 0.95);
}
