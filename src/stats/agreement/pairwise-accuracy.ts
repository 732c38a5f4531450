import { requireEqualLengths } from "../complete-pairs.ts";
import { countPairs } from "../correlation/pair-counts.ts";
import type { ResampledCorrelation } from "../correlation/resampled-correlation.ts";
import { type DenseRanks, denseRanks, resampledRanks } from "../distribution/ranks.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

/**
 * Of the pairs that people tell apart, the share that the metric puts in the same order; a metric that ties them earns
 * half, as a coin would. Chance is 0.5.
 *
 * @example
 * ```ts
 * pairwiseAccuracy([1, 2, 3], [0.2, 0.1, 0.9]); // two of three pairs: about { value: 0.667 }
 * ```
 */
export function pairwiseAccuracy(human: ArrayLike<number>, metric: ArrayLike<number>): Statistic {
  requireEqualLengths(human, metric);
  return human.length < 2 ? NO_PAIR : accuracyOfRanks(denseRanks(human), denseRanks(metric));
}

/** The same over the pairs at the given positions, ranking once. */
export function resampledPairwiseAccuracy(human: ArrayLike<number>, metric: ArrayLike<number>): ResampledCorrelation {
  const humanRanks = denseRanks(human);
  const metricRanks = denseRanks(metric);
  return (positions) =>
    positions.length < 2
      ? NO_PAIR
      : accuracyOfRanks(resampledRanks(humanRanks, positions), resampledRanks(metricRanks, positions));
}

const NO_PAIR = notDefined("people tell no pair apart");

function accuracyOfRanks(human: DenseRanks, metric: DenseRanks): Statistic {
  const { pairs, concordant, tiedLeft, tiedRight, tiedBoth } = countPairs(human, metric);
  const told = pairs - tiedLeft;
  if (told === 0) return NO_PAIR;
  return defined((concordant + (tiedRight - tiedBoth) / 2) / told);
}
