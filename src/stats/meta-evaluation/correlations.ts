import { kendallTau } from "../correlation/kendall-tau.ts";
import { pearson } from "../correlation/pearson.ts";
import {
  type ResampledCorrelation,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
} from "../correlation/resampled-correlation.ts";
import { spearman } from "../correlation/spearman.ts";
import type { Statistic } from "../statistic.ts";

export type CorrelationName = "pearson" | "spearman" | "kendall";
export type Correlation = (left: ArrayLike<number>, right: ArrayLike<number>) => Statistic;

/** A correlation as it is computed once, and over resamples. */
export interface Resamplable {
  readonly compute: Correlation;
  readonly resampled: (left: ArrayLike<number>, right: ArrayLike<number>) => ResampledCorrelation;
}

export const CORRELATIONS: Readonly<Record<CorrelationName, Resamplable>> = {
  pearson: { compute: pearson, resampled: resampledPearson },
  spearman: { compute: spearman, resampled: resampledSpearman },
  kendall: { compute: kendallTau, resampled: resampledKendall },
};
