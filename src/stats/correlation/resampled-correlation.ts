import { averageRanksOf, denseRanks, resampledRanks } from "../distribution/ranks.ts";
import { notDefined, type Statistic } from "../statistic.ts";
import { kendallTauOfRanks } from "./kendall-tau.ts";
import { pearson } from "./pearson.ts";

/** A correlation of the pairs at the given positions, a position counting as often as it is named. */
export type ResampledCorrelation = (positions: ArrayLike<number>) => Statistic;

export function resampledPearson(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  return (positions) => pearson(pick(left, positions), pick(right, positions));
}

/** Ranks once, then each resample in linear time. */
export function resampledSpearman(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  const leftRanks = denseRanks(left);
  const rightRanks = denseRanks(right);
  return (positions) =>
    pearson(
      averageRanksOf(resampledRanks(leftRanks, positions)),
      averageRanksOf(resampledRanks(rightRanks, positions)),
    );
}

/** τ-b. Ranks once, so that ten thousand resamples never sort again. */
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
