import { requireEqualLengths } from "../complete-pairs.ts";
import { averageRanks } from "../distribution/ranks.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

/**
 * The area under the ROC curve: the chance that a positive item scores above a negative one, ties counting half (Mann
 * and Whitney's U over the number of such pairs). Checked against `scipy.stats.mannwhitneyu`. Use it when people said
 * yes or no and the metric gives a number: 0.5 is chance, 1 a perfect separation.
 *
 * @example
 * ```ts
 * areaUnderCurve([true, true, false, false], [0.9, 0.4, 0.5, 0.1]); // { value: 0.75 }
 * ```
 */
export function areaUnderCurve(positive: readonly boolean[], scores: ArrayLike<number>): Statistic {
  requireEqualLengths(positive, scores);
  const ranks = averageRanks(scores);
  let positives = 0;
  let rankSum = 0;
  positive.forEach((holds, i) => {
    if (!holds) return;
    positives++;
    rankSum += ranks[i]!;
  });
  const negatives = positive.length - positives;
  if (positives === 0 || negatives === 0) return notDefined("both positive and negative items are needed");
  return defined((rankSum - (positives * (positives + 1)) / 2) / (positives * negatives));
}
