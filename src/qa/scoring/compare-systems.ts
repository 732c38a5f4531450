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
  /** Questions it was asked, and those without an answer. */
  readonly questions: number;
  readonly unanswered: number;
  /** The mean share of the book that it was shown; null where the answers do not say. */
  readonly seen: number | null;
  readonly metrics: Readonly<Record<string, MetricMean>>;
}

/**
 * Two systems on the questions that both have a score for. Interval and test rest on the same standard error, so that before
 * the correction for many pairs the one leaves out zero exactly where the other is below 0.05.
 */
export interface SystemDifference {
  readonly metric: string;
  readonly left: string;
  readonly right: string;
  /** The left one's mean less the right one's. */
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
  readonly n: number;
  /** Two-sided, corrected over all pairs of this metric (Holm). */
  readonly p: number;
}

export interface SystemComparison {
  readonly questions: number;
  /** What intervals and tests draw: whole books, or single questions where the book is not known. */
  readonly over: "books" | "questions";
  readonly books: number;
  /** Questions whose book is not known: with one of them, single questions are drawn. */
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

/** Which questions have no score. Most columns have the same gaps, so what depends only on them is computed once. */
interface Gaps {
  /** The first column that has them. */
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
 * The largest possible difference of two scores: known for word metrics, and for grades, which run from 1 to 5 with the
 * default rubric.
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

/** On the same questions the totals of the differences are the differences of the totals. */
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
