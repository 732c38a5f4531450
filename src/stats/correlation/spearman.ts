import { averageRanks } from "../distribution/ranks.ts";
import type { Statistic } from "../statistic.ts";
import { whyUncorrelatable } from "./paired-input.ts";
import { pearson } from "./pearson.ts";

/** Spearman's ρ: Pearson's correlation of the ranks, ties sharing an average rank. Checked against `scipy.stats.spearmanr`. */
export function spearman(left: ArrayLike<number>, right: ArrayLike<number>): Statistic {
  return whyUncorrelatable(left, right, { finite: false }) ?? pearson(averageRanks(left), averageRanks(right));
}
