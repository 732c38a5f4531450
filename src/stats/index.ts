export {
  areaUnderCurve,
  cohenKappa,
  type IntraclassModel,
  type IntraclassOptions,
  intraclassCorrelation,
  type KappaOptions,
  type KappaWeights,
  kendallConcordance,
  krippendorffAlpha,
  linConcordance,
  type MeasurementLevel,
  pairwiseAccuracy,
} from "./agreement.ts";
export { applyIsotonic, conformalHalfWidth, fitIsotonic, type IsotonicModel } from "./calibration.ts";
export { holmCorrection } from "./comparison/multiple-comparison.ts";
export {
  type CommonScale,
  correlationPermutationTest,
  type PermutationTest,
  pairedPermutationTest,
  type WilliamsTest,
  williamsTest,
} from "./comparison/significance-tests.ts";
export {
  countPairs,
  type KendallVariant,
  kendallTau,
  type PairCounts,
  pearson,
  type ResampledCorrelation,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
  spearman,
} from "./correlation.ts";
export {
  averageRanks,
  type DenseRanks,
  denseRanks,
  type EmpiricalDistribution,
  empiricalDistribution,
  interquartileRange,
  kernelDensity,
  mean,
  median,
  quantile,
  quantiles,
  sortedOrder,
  standardDeviation,
  sum,
  variance,
  wilsonInterval,
} from "./distribution.ts";
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
export type { RatedRows } from "./meta-evaluation/draws.ts";
export { type WithinItemAgreement, withinItemAgreement } from "./meta-evaluation/within-item-agreement.ts";
export type { Comparison, Strength } from "./rating.ts";
export { bradleyTerry, type DawidSkene, dawidSkene, type Label, thurstone } from "./rating.ts";
export {
  type BcaOptions,
  type BootstrapInterval,
  type BootstrapOptions,
  bcaBootstrap,
  drawPositions,
  drawTwoWays,
  percentileBootstrap,
} from "./resampling.ts";
export { normalCumulative, normalQuantile } from "./special/normal.ts";
export { studentTwoSided } from "./special/student-t.ts";
export {
  type CompletePairs,
  completePairs,
  type DefinedStatistic,
  defined,
  isDefined,
  isPresent,
  type MaybeNumber,
  notDefined,
  type Statistic,
  type UndefinedStatistic,
} from "./statistic.ts";
