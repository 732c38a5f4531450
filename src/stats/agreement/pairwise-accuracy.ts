import { requireEqualLengths } from "../complete-pairs.ts";
import { countPairs } from "../correlation/pair-counts.ts";
import { denseRanks } from "../distribution/ranks.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

/**
 * Of the pairs that people tell apart, the share that the metric puts in the same order; a metric that ties them earns
 * half, as a coin would. Chance is 0.5.
 */
export function pairwiseAccuracy(human: ArrayLike<number>, metric: ArrayLike<number>): Statistic {
  requireEqualLengths(human, metric);
  const { pairs, concordant, tiedLeft, tiedRight, tiedBoth } = countPairs(denseRanks(human), denseRanks(metric));
  const told = pairs - tiedLeft;
  if (told === 0) return notDefined("people tell no pair apart");
  return defined((concordant + (tiedRight - tiedBoth) / 2) / told);
}
