import { seededRandom } from "../../core/random.ts";
import { pearson } from "../correlation/pearson.ts";
import { resampledSpearman } from "../correlation/resampled-correlation.ts";
import { spearman } from "../correlation/spearman.ts";
import { averageRanks } from "../distribution/ranks.ts";
import { drawPositions, percentileBootstrap } from "../resampling/percentile-bootstrap.ts";
import { notDefined, type Statistic } from "../statistic.ts";
import type { HealthOptions } from "./judgement.ts";

export interface Association {
  readonly statistic: Statistic;
  readonly interval: readonly [number, number] | null;
}

/** Spearman's ρ with its interval. */
export function rankAssociation(left: Float64Array, right: Float64Array, options: HealthOptions): Association {
  const statistic = spearman(left, right);
  if (statistic.value === null) return { statistic, interval: null };
  return { statistic, interval: intervalOf(left.length, resampledSpearman(left, right), options) };
}

/** ρ of two columns once what both share with a third is taken out: the partial rank correlation. */
export function partialRankAssociation(
  left: Float64Array,
  right: Float64Array,
  given: Float64Array,
  options: HealthOptions,
): Association {
  const partial = (positions: ArrayLike<number>) => {
    const ranks = [left, right, given].map((column) =>
      averageRanks(Float64Array.from(positions, (position) => column[position]!)),
    );
    return partialCorrelation(ranks[0]!, ranks[1]!, ranks[2]!);
  };
  const statistic = partial(Array.from(left, (_, position) => position));
  if (statistic.value === null) return { statistic, interval: null };
  return { statistic, interval: intervalOf(left.length, partial, options) };
}

function partialCorrelation(left: Float64Array, right: Float64Array, given: Float64Array): Statistic {
  const between = pearson(left, right).value;
  const leftGiven = pearson(left, given).value;
  const rightGiven = pearson(right, given).value;
  if (between === null || leftGiven === null || rightGiven === null)
    return notDefined("one of the columns is constant");
  const rest = (1 - leftGiven ** 2) * (1 - rightGiven ** 2);
  return rest > 0
    ? { value: (between - leftGiven * rightGiven) / Math.sqrt(rest) }
    : notDefined("the third column explains one of the others entirely");
}

function intervalOf(size: number, statistic: (positions: ArrayLike<number>) => Statistic, options: HealthOptions) {
  const { interval } = percentileBootstrap<ArrayLike<number>>({
    draw: drawPositions(size),
    statistic,
    random: seededRandom(options.seed),
    resamples: options.resamples,
  });
  return interval;
}
