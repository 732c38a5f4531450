import { averageRanksOf, denseRanks, resampledRanks } from "../distribution/ranks.ts";
import { notDefined, type Statistic } from "../statistic.ts";
import { kendallTauOfRanks } from "./kendall-tau.ts";
import { pearson } from "./pearson.ts";

/** A correlation of the pairs at the given positions, a position counting as often as it is named. */
export type ResampledCorrelation = (positions: ArrayLike<number>) => Statistic;

/**
 * Pearson's correlation over any choice of rows, as `percentileBootstrap` needs it.
 *
 * @example
 * ```ts
 * const correlate = resampledPearson([1, 2, 3], [2, 9, 4]);
 * correlate([0, 2]); // about { value: 1 }: rows 0 and 2 alone
 * ```
 */
export function resampledPearson(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  return (positions) => pearson(pick(left, positions), pick(right, positions));
}

/**
 * Spearman's ρ over any choice of rows, as `percentileBootstrap` needs it. Ranks once, then each resample in linear
 * time.
 *
 * @example
 * ```ts
 * const statistic = resampledSpearman([1, 2, 3, 4], [1, 4, 2, 3]);
 * statistic([0, 1, 1, 2]); // row 1 counts twice
 * percentileBootstrap({ draw: drawPositions(4), statistic, random: Math.random });
 * ```
 */
export function resampledSpearman(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  const leftRanks = denseRanks(left);
  const rightRanks = denseRanks(right);
  return (positions) =>
    pearson(
      averageRanksOf(resampledRanks(leftRanks, positions)),
      averageRanksOf(resampledRanks(rightRanks, positions)),
    );
}

/**
 * Kendall's τ-b over any choice of rows, as `percentileBootstrap` needs it. Ranks once, so that ten thousand resamples
 * never sort again.
 *
 * @example
 * ```ts
 * const correlate = resampledKendall([1, 2, 3], [1, 3, 2]);
 * correlate([0, 1, 2]); // about { value: 0.333 }
 * correlate([0, 1]); // { value: 1 }
 * ```
 */
export function resampledKendall(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  const leftRanks = denseRanks(left);
  const rightRanks = denseRanks(right);
  return (positions) => {
    const drawnLeft = resampledRanks(leftRanks, positions);
    const drawnRight = resampledRanks(rightRanks, positions);
    if (drawnLeft.distinct < 2) return notDefined("the first column is constant");
    if (drawnRight.distinct < 2) return notDefined("the second column is constant");
    return kendallTauOfRanks(drawnLeft, drawnRight, "b");
  };
}

function pick(values: ArrayLike<number>, positions: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = values[positions[i]!]!;
  return picked;
}
