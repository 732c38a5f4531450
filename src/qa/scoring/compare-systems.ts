import { seededRandom } from "../../core/random.ts";
import { holmCorrection } from "../../stats/comparison/multiple-comparison.ts";
import {
  type ClusterDraws,
  type ClusteredMean,
  type ClusterTotals,
  clusteredMean,
  clusterTotals,
  differenceInterval,
  differenceP,
  drawClusters,
  middleOf,
  resampledTotals,
} from "../../stats/resampling.ts";
import { withinScale } from "../../stats/special/student-t.ts";
import { GRADING_SETTINGS, METRIC_IDS } from "../choices.ts";
import type { AnswerSheet, SheetQuestion, SheetSystem } from "./answer-sheet.ts";
import { FEWEST_CLUSTERS, questionClusters } from "./question-clusters.ts";

export interface MetricMean {
  readonly mean: number;
  readonly interval: readonly [number, number] | null;
  readonly n: number;
}

export interface SystemScores {
  readonly system: string;
  /** How many questions it was asked, and how many have no answer. */
  readonly questions: number;
  readonly unanswered: number;
  /** The mean share of the book that it was shown; null if the answers do not state it. */
  readonly seen: number | null;
  readonly metrics: Readonly<Record<string, MetricMean>>;
}

/**
 * Two systems compared on the questions that both have a score for. Interval and test use the same standard error, so
 * that before the correction for many pairs the interval excludes zero exactly when p is below 0.05.
 */
export interface SystemDifference {
  readonly metric: string;
  readonly left: string;
  readonly right: string;
  /** The left system's mean minus the right one's. */
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
  readonly n: number;
  /** Two-sided, corrected for all pairs of this metric (Holm). */
  readonly p: number;
}

export interface SystemComparison {
  readonly questions: number;
  /** What intervals and tests resample: whole books, or single questions if the book is not known. */
  readonly over: "books" | "questions";
  readonly books: number;
  /** Questions whose book is not known; if there is one, single questions are resampled. */
  readonly withoutBook: number;
  readonly resamples: number;
  readonly metrics: readonly string[];
  readonly systems: readonly SystemScores[];
  readonly differences: readonly SystemDifference[];
}

export interface ComparisonOptions {
  readonly seed: number;
  readonly resamples?: number;
}

const RESAMPLES = 1000;

/**
 * Systems × metrics with 95 % intervals, and every two systems compared. A difference is between answers to
 * the same questions, paired by book: a book that is hard for one system is usually hard for the other.
 */
export function compareSystems(
  sheet: AnswerSheet<Pick<SheetQuestion, "book">>,
  options: ComparisonOptions,
): SystemComparison {
  const { clusterOf, clusters, over } = questionClusters(sheet.questions.map(({ book }) => book));
  const draws = drawClusters(clusters, options.resamples ?? RESAMPLES, seededRandom(options.seed));
  const metrics = [...new Set(sheet.systems.flatMap(({ scores }) => Object.keys(scores)))];
  const gaps: Gaps[] = [];
  const columns = new Map(sheet.systems.map((system) => [system, columnsOf(system, clusterOf, draws, gaps)]));
  const differences = metrics.flatMap((metric) => {
    const scored = sheet.systems.flatMap((system) => columns.get(system)!.get(metric) ?? []);
    const pairs = scored.flatMap((left, at) => scored.slice(at + 1).map((right) => ({ left, right })));
    const largest = largestDifference(metric, scored);
    const found = pairs.flatMap(({ left, right }) => {
      const difference = differenceOf(metric, left, right, clusterOf, clusters);
      if (difference === null) return [];
      return [{ ...difference, interval: withinScale(difference.interval, -largest, largest) }];
    });
    const adjusted = holmCorrection(found.map(({ p }) => p));
    return found.map((difference, at) => ({ ...difference, p: adjusted[at]! }));
  });
  return {
    questions: sheet.questions.length,
    over,
    books: new Set(sheet.questions.flatMap(({ book }) => book ?? [])).size,
    withoutBook: sheet.questions.filter(({ book }) => book === null).length,
    resamples: draws.resamples,
    metrics,
    systems: sheet.systems.map((system) => ({
      system: system.name,
      questions: system.answers.filter((answer) => answer !== undefined).length,
      unanswered: system.answers.filter((answer) => answer === null).length,
      seen: system.seen,
      metrics: Object.fromEntries(
        [...columns.get(system)!].map(([metric, column]) => [
          metric,
          { mean: column.mean, interval: intervalOf(column), n: column.n },
        ]),
      ),
    })),
    differences,
  };
}

/**
 * Which questions have no score. Most columns have the same gaps, so whatever depends only on these is computed once.
 */
interface Gaps {
  /** The first column with these gaps. */
  readonly values: Float64Array;
  readonly resampledSizes: Float64Array;
}

interface Column extends ClusteredMean {
  readonly system: string;
  readonly values: Float64Array;
  readonly gaps: Gaps;
  readonly totals: ClusterTotals;
  readonly replicates: Float64Array;
}

/**
 * The largest possible difference of two scores. It is known for word metrics, and for grades, which are 1 to 5 with
 * the default rubric.
 */
function largestDifference(metric: string, columns: readonly Column[]): number {
  if (METRIC_IDS.includes(metric.replace(/-(?:first|mean)$/, ""))) return 1;
  const isGrade = GRADING_SETTINGS.some((setting) => metric.endsWith(`-${setting}`));
  // A grade outside that range comes from a rubric with another scale.
  const isUsual = columns.every(({ values }) =>
    values.every((value) => Number.isNaN(value) || (value >= 1 && value <= 5)),
  );
  return isGrade && isUsual ? 4 : Number.POSITIVE_INFINITY;
}

/** With fewer clusters an interval would mainly reflect how few there are. */
function intervalOf({ replicates, clusters }: Column): readonly [number, number] | null {
  return clusters < FEWEST_CLUSTERS ? null : middleOf(replicates);
}

function columnsOf(
  system: SheetSystem,
  clusterOf: Uint32Array,
  draws: ClusterDraws,
  known: Gaps[],
): Map<string, Column> {
  return new Map(
    Object.entries(system.scores).map(([metric, values]) => {
      const totals = clusterTotals(values, clusterOf, draws.clusters);
      let gaps = known.find((one) => sameQuestions(one.values, values));
      if (!gaps) {
        gaps = { values, resampledSizes: resampledTotals(totals.sizes, draws) };
        known.push(gaps);
      }
      const { resampledSizes } = gaps;
      const replicates = resampledTotals(totals.sums, draws).map((total, row) => total / resampledSizes[row]!);
      return [metric, { system: system.name, values, gaps, totals, replicates, ...clusteredMean(totals) }];
    }),
  );
}

/** Null when the two share no question. */
function differenceOf(
  metric: string,
  left: Column,
  right: Column,
  clusterOf: Uint32Array,
  clusters: number,
): SystemDifference | null {
  const found = clusteredMean(differenceTotals(left, right, clusterOf, clusters));
  if (found.n === 0) return null;
  return {
    metric,
    left: left.system,
    right: right.system,
    difference: found.mean,
    n: found.n,
    interval: found.clusters < FEWEST_CLUSTERS ? null : differenceInterval(found),
    p: differenceP(found),
  };
}

/** On the same questions, the difference of the totals equals the total of the differences. */
function differenceTotals(left: Column, right: Column, clusterOf: Uint32Array, clusters: number): ClusterTotals {
  if (left.gaps === right.gaps) {
    const sums = left.totals.sums.map((value, cluster) => value - right.totals.sums[cluster]!);
    return { sums, sizes: left.totals.sizes };
  }
  const differences = left.values.map((value, position) => value - right.values[position]!);
  return clusterTotals(differences, clusterOf, clusters);
}

function sameQuestions(left: Float64Array, right: Float64Array): boolean {
  for (let position = 0; position < left.length; position++) {
    if (Number.isNaN(left[position]!) !== Number.isNaN(right[position]!)) return false;
  }
  return true;
}
