import type { UndefinedStatistic } from "../statistic.ts";
import { type Comparison, fitPairedComparisons, type Strength } from "./paired-comparisons.ts";

/**
 * Turns wins and losses between pairs into one strength per contestant, with intervals. Bradley and Terry (1952): the
 * log-odds of a win is the difference of the strengths.
 *
 * @example
 * ```ts
 * const outcomes = ["left", "left", "left", "right"] as const;
 * const strengths = bradleyTerry(outcomes.map((outcome) => ({ left: "A", right: "B", outcome })));
 * // A about 0.549, B about −0.549: odds of e^1.099 = 3 to 1
 * ```
 */
export function bradleyTerry(
  comparisons: readonly Comparison[],
  options: { readonly level?: number } = {},
): readonly Strength[] | UndefinedStatistic {
  const chance = (difference: number) => 1 / (1 + Math.exp(-difference));
  const slope = (difference: number) => chance(difference) * (1 - chance(difference));
  return fitPairedComparisons(comparisons, { chance, slope }, options.level ?? 0.95);
}
