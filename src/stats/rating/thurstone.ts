import { normalCumulative } from "../special/normal.ts";
import type { UndefinedStatistic } from "../statistic.ts";
import { type Comparison, fitPairedComparisons, type Strength } from "./paired-comparisons.ts";

/**
 * Thurstone's Case V (1927): each contestant shows its strength with normal noise, so a win has the probit chance of
 * the difference. Strengths are in standard deviations of the difference.
 */
export function thurstone(
  comparisons: readonly Comparison[],
  options: { readonly level?: number } = {},
): readonly Strength[] | UndefinedStatistic {
  const slope = (difference: number) => Math.exp((-difference * difference) / 2) / Math.sqrt(2 * Math.PI);
  return fitPairedComparisons(comparisons, { chance: normalCumulative, slope }, options.level ?? 0.95);
}
