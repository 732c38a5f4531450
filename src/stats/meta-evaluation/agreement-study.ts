import { DEFAULT_LEVEL } from "../resampling/percentile-bootstrap.ts";
import { type Agreement, type AgreementOptions, itemAgreement, systemAgreement } from "./agreement.ts";
import { compareMetrics, type MetricComparison, type NamedScores } from "./compare-metrics.ts";
import type { ResampledUnit } from "./draws.ts";
import { positionsByName, type RatedRows, selectRatedRows } from "./rated-rows.ts";
import { systemAverages } from "./system-averages.ts";
import { type AgreementWarning, agreementWarnings } from "./warnings.ts";
import { type WithinItemAgreement, withinItemAgreement } from "./within-item-agreement.ts";

export interface StudyColumns {
  readonly human: Float64Array;
  readonly metrics: readonly NamedScores[];
  readonly system: readonly string[] | null;
  readonly item: readonly string[] | null;
  readonly group: readonly string[] | null;
}

export interface StudyOptions {
  readonly seed: number;
  /** By default 2,000, and fewer for very long tables, whose intervals are narrow anyway. */
  readonly resamples?: number;
  readonly permutations?: number;
  readonly interval?: "percentile" | "bca";
  readonly over?: ResampledUnit;
  /** 0.95 for 95% intervals. */
  readonly confidence?: number;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

export interface MetricAgreement {
  readonly metric: string;
  /** At system level when there are systems, otherwise at item level. */
  readonly agreement: Agreement;
  readonly warnings: readonly AgreementWarning[];
  /** With systems, agreement over all texts at once as well. */
  readonly pooled: Agreement | null;
  /** With items too, the average of the correlations across systems within each item. */
  readonly withinItems: WithinItemAgreement | null;
}

export interface AgreementStudy {
  readonly rows: number;
  readonly resamples: number;
  readonly over: ResampledUnit;
  readonly interval: "percentile" | "bca";
  readonly confidence: number;
  readonly seed: number;
  readonly metrics: readonly MetricAgreement[];
  readonly comparisons: readonly MetricComparison[];
  readonly groups: readonly { readonly group: string; readonly metrics: readonly MetricAgreement[] }[];
}

const MOST_RESAMPLED_VALUES = 4_000_000;
const FEWEST_RESAMPLES = 100;
const DEFAULT_PERMUTATIONS = 2000;

/**
 * Everything `fabula agree` says about a table: each metric, each group, and which metrics differ beyond chance. The
 * one call for a whole table; without a column of systems it works text by text.
 *
 * @example
 * ```ts
 * const human = Float64Array.of(1, 2, 3, 4, 5);
 * const metrics = [{ name: "overlap", scores: Float64Array.of(0.2, 0.1, 0.4, 0.3, 0.9) }];
 * const study = studyAgreement({ human, metrics, system: null, item: null, group: null }, { seed: 1 });
 * study.metrics[0]?.agreement.spearman; // the value with its 95 % interval
 * ```
 */
export function studyAgreement(columns: StudyColumns, options: StudyOptions): AgreementStudy {
  const rows = columns.human.length;
  const over = columns.system ? (options.over ?? defaultUnit(columns.system)) : "items";
  const settings: AgreementOptions = {
    resamples:
      options.resamples ?? Math.max(FEWEST_RESAMPLES, Math.min(2000, Math.floor(MOST_RESAMPLED_VALUES / rows))),
    confidence: options.confidence ?? DEFAULT_LEVEL,
    seed: options.seed,
    interval: options.interval ?? "percentile",
    over,
  };
  const groups = columns.group ? [...positionsByName(columns.group)] : [];
  const total = columns.metrics.length * (1 + groups.length);
  let done = 0;
  const agreementsOf = (positions: readonly number[] | null) =>
    columns.metrics.map((metric) => {
      options.onProgress?.("measuring agreement", done++, total);
      const all: RatedRows = {
        human: columns.human,
        metric: metric.scores,
        system: columns.system,
        item: columns.item,
      };
      return metricAgreement(metric.name, positions ? selectRatedRows(all, positions) : all, settings);
    });
  return {
    rows,
    resamples: settings.resamples,
    over,
    interval: settings.interval,
    confidence: settings.confidence,
    seed: settings.seed,
    metrics: agreementsOf(null),
    comparisons: comparisonsOf(columns, options),
    groups: groups.map(([group, positions]) => ({ group, metrics: agreementsOf(positions) })),
  };
}

/** Where each system has several texts, both the texts and the systems might have been others. */
function defaultUnit(system: readonly string[]): ResampledUnit {
  return new Set(system).size < system.length ? "both" : "systems";
}

function metricAgreement(metric: string, rows: RatedRows, settings: AgreementOptions): MetricAgreement {
  if (!rows.system) {
    const agreement = itemAgreement(rows, settings);
    return { metric, agreement, warnings: agreementWarnings(agreement), pooled: null, withinItems: null };
  }
  const agreement = systemAgreement(rows, settings);
  return {
    metric,
    agreement,
    warnings: agreementWarnings(agreement),
    pooled: itemAgreement(rows, { ...settings, interval: "percentile" }),
    withinItems: rows.item ? withinItemAgreement(rows, settings) : null,
  };
}

/** Metrics are compared at the level the study speaks of: texts, or the systems' averages. */
function comparisonsOf(columns: StudyColumns, options: StudyOptions): MetricComparison[] {
  if (columns.metrics.length < 2) return [];
  const { human, metrics } = columns.system ? averaged(columns) : columns;
  return compareMetrics(human, metrics, {
    seed: options.seed,
    permutations: options.permutations ?? DEFAULT_PERMUTATIONS,
    onPair: (done, total) => options.onProgress?.("comparing metrics", done, total),
  });
}

function averaged({ human, metrics, system }: StudyColumns): { human: Float64Array; metrics: NamedScores[] } {
  const average = (scores: Float64Array) => systemAverages({ human, metric: scores, system, item: null });
  return {
    human: average(human).human,
    metrics: metrics.map(({ name, scores }) => ({ name, scores: average(scores).metric })),
  };
}
