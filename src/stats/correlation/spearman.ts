import { averageRanks } from "../distribution/ranks.ts";
import type { Statistic } from "../statistic.ts";
import { whyUncorrelatable } from "./paired-input.ts";
import { pearson } from "./pearson.ts";

/**
 * Spearman's ρ: Pearson's correlation of the ranks, ties sharing an average rank. Checked against
 * `scipy.stats.spearmanr`. Use it when the relation rises or falls but need not be a straight line.
 *
 * @example
 * ```ts
 * spearman([1, 2, 3, 4], [1, 10, 100, 1000]); // { value: 1 }
 * ```
 */
export function spearman(left: ArrayLike<number>, right: ArrayLike<number>): Statistic {
  return whyUncorrelatable(left, right, { finite: false }) ?? pearson(averageRanks(left), averageRanks(right));
}
