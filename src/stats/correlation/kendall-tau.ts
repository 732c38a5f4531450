import { type DenseRanks, denseRanks } from "../distribution/ranks.ts";
import { defined, type Statistic } from "../statistic.ts";
import { countPairs } from "./pair-counts.ts";
import { whyUncorrelatable } from "./paired-input.ts";

/** `b` corrects for ties in either column; `c` (Stuart's) also for scales of unequal length. */
export type KendallVariant = "b" | "c";

/**
 * Kendall's rank correlation in O(n log n): the share of pairs two columns put in the same order, less the share they
 * put in opposite order. Checked against `scipy.stats.kendalltau`. Use it for a metric against human ratings: only the
 * order counts, and ties are corrected for.
 *
 * @example
 * ```ts
 * kendallTau([1, 2, 3, 4], [1, 3, 2, 4]); // about { value: 0.667 }
 * ```
 */
export function kendallTau(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  options: { readonly variant?: KendallVariant } = {},
): Statistic {
  const obstacle = whyUncorrelatable(left, right, { finite: false });
  return obstacle ?? kendallTauOfRanks(denseRanks(left), denseRanks(right), options.variant ?? "b");
}

/** τ of columns that are ranked already: what a resample needs, since resampling never changes who ranks above whom. */
export function kendallTauOfRanks(left: DenseRanks, right: DenseRanks, variant: KendallVariant): Statistic {
  const { pairs, concordant, discordant, tiedLeft, tiedRight } = countPairs(left, right);
  const surplus = concordant - discordant;
  switch (variant) {
    case "b":
      return defined(clamp(surplus / Math.sqrt((pairs - tiedLeft) * (pairs - tiedRight))));
    case "c": {
      const n = left.ranks.length;
      const levels = Math.min(left.distinct, right.distinct);
      return defined(clamp((2 * surplus) / ((n * n * (levels - 1)) / levels)));
    }
    default:
      return variant satisfies never;
  }
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
