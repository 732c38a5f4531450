export { type CompletePairs, completePairs, type MaybeNumber } from "./complete-pairs.ts";
export { type KendallVariant, kendallTau } from "./correlation/kendall-tau.ts";
export { countPairs, type PairCounts } from "./correlation/pair-counts.ts";
export { pearson } from "./correlation/pearson.ts";
export {
  type ResampledCorrelation,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
} from "./correlation/resampled-correlation.ts";
export { spearman } from "./correlation/spearman.ts";
export { type EmpiricalDistribution, empiricalDistribution } from "./distribution/empirical-distribution.ts";
export { kernelDensity } from "./distribution/kernel-density.ts";
export { mean } from "./distribution/mean.ts";
export { interquartileRange, median, quantile, quantiles } from "./distribution/quantile.ts";
export { averageRanks, type DenseRanks, denseRanks } from "./distribution/ranks.ts";
export { sortedOrder } from "./distribution/sorted-order.ts";
export { sum } from "./distribution/sum.ts";
export { standardDeviation, variance } from "./distribution/variance.ts";
export { fitRidge, predictRidge, type RidgeModel, type RidgeOptions } from "./linear/ridge-regression.ts";
export { type SparseEntry, type SparseRows, selectRows, sparseRows } from "./linear/sparse-rows.ts";
export {
  type BootstrapInterval,
  type BootstrapOptions,
  drawPositions,
  percentileBootstrap,
} from "./resampling/percentile-bootstrap.ts";
export {
  type DefinedStatistic,
  defined,
  isDefined,
  notDefined,
  type Statistic,
  type UndefinedStatistic,
} from "./statistic.ts";
