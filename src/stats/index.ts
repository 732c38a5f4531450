export { areaUnderCurve } from "./agreement/area-under-curve.ts";
export { cohenKappa, type KappaOptions, type KappaWeights } from "./agreement/cohen-kappa.ts";
export {
  type IntraclassModel,
  type IntraclassOptions,
  intraclassCorrelation,
} from "./agreement/intraclass-correlation.ts";
export { kendallConcordance } from "./agreement/kendall-concordance.ts";
export { krippendorffAlpha, type MeasurementLevel } from "./agreement/krippendorff-alpha.ts";
export { linConcordance } from "./agreement/lin-concordance.ts";
export { pairwiseAccuracy } from "./agreement/pairwise-accuracy.ts";
export { applyIsotonic, fitIsotonic, type IsotonicModel } from "./calibration/isotonic-regression.ts";
export { conformalHalfWidth } from "./calibration/split-conformal.ts";
export { type CommonScale, correlationPermutationTest } from "./comparison/correlation-permutation-test.ts";
export { holmCorrection } from "./comparison/holm-correction.ts";
export { type PermutationTest, pairedPermutationTest } from "./comparison/paired-permutation-test.ts";
export { type WilliamsTest, williamsTest } from "./comparison/williams-test.ts";
export { type CompletePairs, completePairs, isPresent, type MaybeNumber } from "./complete-pairs.ts";
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
export { wilsonInterval } from "./distribution/wilson-interval.ts";
export { type HealthRecords, type JudgeHealth, judgeHealth } from "./judge-health/judge-health.ts";
export type { Finding, Judgement, OrderedComparison } from "./judge-health/judgement.ts";
export { dualWeights, leaveOneOut, type VarianceComponents } from "./linear/kernel-regression.ts";
export type { SquareMatrix } from "./linear/positive-definite.ts";
export { type PrincipalComponents, principalComponents, projectOnComponents } from "./linear/principal-components.ts";
export { fitRidge, predictRidge, type RidgeModel, type RidgeOptions } from "./linear/ridge-regression.ts";
export { type SparseEntry, type SparseRows, selectRows, sparseRows } from "./linear/sparse-rows.ts";
export {
  type Agreement,
  type AgreementOptions,
  type Estimate,
  itemAgreement,
  systemAgreement,
} from "./meta-evaluation/agreement.ts";
export {
  type AgreementStudy,
  type MetricAgreement,
  type StudyColumns,
  type StudyOptions,
  studyAgreement,
} from "./meta-evaluation/agreement-study.ts";
export { compareMetrics, type MetricComparison, type NamedScores } from "./meta-evaluation/compare-metrics.ts";
export type { RatedRows } from "./meta-evaluation/rated-rows.ts";
export { type WithinItemAgreement, withinItemAgreement } from "./meta-evaluation/within-item-agreement.ts";
export { bradleyTerry } from "./rating/bradley-terry.ts";
export { type DawidSkene, dawidSkene, type Label } from "./rating/dawid-skene.ts";
export type { Comparison, Strength } from "./rating/paired-comparisons.ts";
export { thurstone } from "./rating/thurstone.ts";
export { type BcaOptions, bcaBootstrap } from "./resampling/bca-bootstrap.ts";
export { drawTwoWays } from "./resampling/draw-two-ways.ts";
export {
  type BootstrapInterval,
  type BootstrapOptions,
  drawPositions,
  percentileBootstrap,
} from "./resampling/percentile-bootstrap.ts";
export { normalCumulative, normalQuantile } from "./special/normal.ts";
export { studentTwoSided } from "./special/student-t.ts";
export {
  type DefinedStatistic,
  defined,
  isDefined,
  notDefined,
  type Statistic,
  type UndefinedStatistic,
} from "./statistic.ts";
