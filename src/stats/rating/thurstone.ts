import { normalCumulative } from "../special/normal.ts";
import type { UndefinedStatistic } from "../statistic.ts";
import { type Comparison, fitPairedComparisons, type Strength } from "./paired-comparisons.ts";

/**
 * Turns wins and losses between pairs into one strength per contestant, as `bradleyTerry` does on another scale.
 * Thurstone's Case V (1927): each contestant shows its strength with normal noise, so a win has the probit chance of
 * the difference. Strengths are in standard deviations of the difference.
 *
 * @example
 * ```ts
 * const outcomes = ["left", "left", "left", "right"] as const;
 * const strengths = thurstone(outcomes.map((outcome) => ({ left: "A", right: "B", outcome })));
 * // A about 0.337, B about −0.337
 * ```
 */
export function thurstone(
  comparisons: readonly Comparison[],
  options: { readonly level?: number } = {},
): readonly Strength[] | UndefinedStatistic {
  const slope = (difference: number) => Math.exp((-difference * difference) / 2) / Math.sqrt(2 * Math.PI);
  return fitPairedComparisons(comparisons, { chance: normalCumulative, slope }, options.level ?? 0.95);
}
