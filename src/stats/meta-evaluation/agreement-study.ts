import { countPairs, pearson } from "../correlation.ts";
import { denseRanks, quantiles } from "../distribution.ts";
import { DEFAULT_LEVEL } from "../resampling.ts";
import {
  type Agreement,
  type AgreementOptions,
  FEWEST_SYSTEMS,
  itemAgreement,
  systemAgreement,
  systemAverages,
} from "./agreement.ts";
import { compareMetrics, type MetricComparison, type NamedScores } from "./compare-metrics.ts";
import { positionsByName, type RatedRows, type ResampledUnit, selectRatedRows } from "./draws.ts";
import { type WithinItemAgreement, withinItemAgreement } from "./within-item-agreement.ts";

/** A warning that a reader of the figures should know. */
export interface AgreementWarning {
  readonly code: "few-systems" | "few-items" | "missing" | "restricted-range" | "ties" | "one-point" | "undefined";
  readonly message: string;
}

const NAMES = { pearson: "Pearson", spearman: "Spearman", kendall: "Kendall" } as const;
const FEW_SYSTEMS = 10;
const FEW_ITEMS = 30;
const NARROW = 0.2;
const MANY_TIES = 0.25;
const LEVERAGE = 0.2;
const LARGEST_FOR_LEVERAGE = 200;

export function agreementWarnings(agreement: Agreement): AgreementWarning[] {
  const { level, n, missing, points } = agreement;
  const unit = level === "system" ? "systems" : "items";
  const warnings: AgreementWarning[] = [];
  if (level === "system" && n < FEW_SYSTEMS) {
    warnings.push({
      code: "few-systems",
      message:
        n < FEWEST_SYSTEMS
          ? `Only ${n} systems: too few for an interval (it takes ${FEWEST_SYSTEMS}), and one system can make or break a correlation.`
          : `Only ${n} systems: with so few points the intervals are wide and one system can make or break a correlation.`,
    });
  }
  if (level === "item" && n < FEW_ITEMS) {
    warnings.push({
      code: "few-items",
      message: `Only ${n} items: the intervals are wide and may be too narrow still.`,
    });
  }
  if (missing > 0) {
    warnings.push({ code: "missing", message: `${missing} ${unit} lack a rating or a score and were left out.` });
  }
  for (const [name, column] of [["human ratings", points.human] as const, ["scores", points.metric] as const]) {
    if (isRestricted(column)) {
      warnings.push({
        code: "restricted-range",
        message: `Most ${name} lie in a narrow band of their range: agreement on a wider range would look different.`,
      });
    }
  }
  warnings.push(...tieWarnings(agreement), ...leverageWarnings(agreement));
  const undefinedFigures = (["pearson", "spearman", "kendall"] as const).flatMap((name) => {
    const figure = agreement[name];
    return figure.value === null ? [{ name: NAMES[name], reason: figure.reason }] : [];
  });
  for (const reason of new Set(undefinedFigures.map((figure) => figure.reason))) {
    const names = undefinedFigures.filter((figure) => figure.reason === reason).map((figure) => figure.name);
    warnings.push({ code: "undefined", message: `${names.join(", ")}: undefined, since ${reason}.` });
  }
  return warnings;
}

/** Whether the middle four fifths of the values take up less than a fifth of the range. */
function isRestricted(column: Float64Array): boolean {
  if (column.length < 5) return false;
  const [lowest, low, high, highest] = quantiles(column, [0, 0.1, 0.9, 1]);
  return highest! > lowest! && high! - low! < NARROW * (highest! - lowest!);
}

function tieWarnings({ points }: Agreement): AgreementWarning[] {
  const { pairs, tiedLeft, tiedRight } = countPairs(denseRanks(points.human), denseRanks(points.metric));
  if (pairs === 0) return [];
  const percent = (tied: number) => `${Math.round((100 * tied) / pairs)}%`;
  return (
    [
      ["human ratings", tiedLeft],
      ["scores", tiedRight],
    ] as const
  )
    .filter(([, tied]) => tied > MANY_TIES * pairs && tied < pairs)
    .map(([name, tied]) => ({
      code: "ties",
      message: `${percent(tied)} of the pairs are tied in the ${name}: τ-b corrects for it, pairwise accuracy counts a tied score as half right.`,
    }));
}

/** The point whose removal changes Pearson's r most, if the change is large; otherwise null. */
export function carryingPoint(
  whole: number | null,
  human: Float64Array,
  metric: Float64Array,
): { readonly position: number; readonly without: number } | null {
  const n = human.length;
  if (whole === null || n < 5 || n > LARGEST_FOR_LEVERAGE) return null;
  let largest = { change: 0, without: 0, position: 0 };
  for (let left = 0; left < n; left++) {
    const others = (column: Float64Array) => column.filter((_, position) => position !== left);
    const { value } = pearson(others(human), others(metric));
    if (value !== null && Math.abs(value - whole) > Math.abs(largest.change)) {
      largest = { change: value - whole, without: value, position: left };
    }
  }
  return Math.abs(largest.change) < LEVERAGE ? null : largest;
}

/** A correlation that depends on a single point says little about the others (Mathur, Baldwin and Cohn, 2020). */
function leverageWarnings({ pearson: whole, points }: Agreement): AgreementWarning[] {
  const found = carryingPoint(whole.value, points.human, points.metric);
  if (found === null) return [];
  const name = points.names?.[found.position] ?? `point ${found.position + 1}`;
  return [
    {
      code: "one-point",
      message: `Without ${name}, Pearson is ${found.without.toFixed(2)} instead of ${whole.value!.toFixed(2)}: one point carries it.`,
    },
  ];
}

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
  /** At system level if there are systems, otherwise at item level. */
  readonly agreement: Agreement;
  readonly warnings: readonly AgreementWarning[];
  /** If there are systems, also the agreement over all texts at once. */
  readonly pooled: Agreement | null;
  /** If there are items too, the average of the correlations across systems within each item. */
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

/** If each system has several texts, both the texts and the systems are a sample. */
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

/** Metrics are compared at the level of the study: texts, or the systems' averages. */
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
