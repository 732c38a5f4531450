import { seededRandom } from "../../core/random.ts";
import { holmCorrection } from "../../stats/comparison/holm-correction.ts";
import {
  bootstrapP,
  type ClusterDraws,
  clusterTotals,
  differenceInterval,
  drawClusters,
  middleOf,
  resampledMeans,
} from "../../stats/resampling.ts";
import type { AnswerSheet, SheetSystem } from "./answer-sheet.ts";
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
 * Systems × metrics with 95 % intervals, and every two systems compared. All draw the same books, so that a difference is
 * between answers to the same questions: a book that is hard for one system is usually hard for the other.
 */
export function compareSystems(sheet: AnswerSheet, options: ComparisonOptions): SystemComparison {
  const { clusterOf, clusters, over } = questionClusters(sheet.questions.map(({ book }) => book));
  const draws = drawClusters(clusters, options.resamples ?? RESAMPLES, seededRandom(options.seed));
  const metrics = [...new Set(sheet.systems.flatMap(({ scores }) => Object.keys(scores)))];
  const columns = new Map(sheet.systems.map((system) => [system, columnsOf(system, clusterOf, draws)]));
  const differences = metrics.flatMap((metric) => {
    const scored = sheet.systems.flatMap((system) => columns.get(system)!.get(metric) ?? []);
    const pairs = scored.flatMap((left, at) => scored.slice(at + 1).map((right) => ({ left, right })));
    const found = pairs.flatMap(({ left, right }) => differenceOf(metric, left, right, clusterOf, draws) ?? []);
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

interface Summary {
  readonly mean: number;
  readonly n: number;
  /** Clusters with a value: an interval and a test rest on these, however many others there are. */
  readonly clusters: number;
  readonly replicates: Float64Array;
}

interface Column extends Summary {
  readonly system: string;
  readonly values: Float64Array;
}

/** Drawn from fewer clusters, it would say how few there are and no more. */
function intervalOf({ replicates, clusters }: Summary): readonly [number, number] | null {
  return clusters < FEWEST_CLUSTERS ? null : middleOf(replicates);
}

function columnsOf(system: SheetSystem, clusterOf: Uint32Array, draws: ClusterDraws): Map<string, Column> {
  return new Map(
    Object.entries(system.scores).map(([metric, values]) => [
      metric,
      { system: system.name, values, ...summary(values, clusterOf, draws) },
    ]),
  );
}

function summary(values: Float64Array, clusterOf: Uint32Array, draws: ClusterDraws): Summary {
  const totals = clusterTotals(values, clusterOf, draws.clusters);
  let [sum, n, clusters] = [0, 0, 0];
  for (let cluster = 0; cluster < draws.clusters; cluster++) {
    sum += totals.sums[cluster]!;
    n += totals.sizes[cluster]!;
    if (totals.sizes[cluster]! > 0) clusters += 1;
  }
  return { mean: sum / n, n, clusters, replicates: resampledMeans(totals, draws) };
}

/** Null when the two share no question. */
function differenceOf(
  metric: string,
  left: Column,
  right: Column,
  clusterOf: Uint32Array,
  draws: ClusterDraws,
): SystemDifference | null {
  const found = sameQuestions(left.values, right.values)
    ? differenceOfMeans(left, right)
    : summary(
        left.values.map((value, position) => value - right.values[position]!),
        clusterOf,
        draws,
      );
  const { mean: difference, n, clusters, replicates } = found;
  if (n === 0) return null;
  return {
    metric,
    left: left.system,
    right: right.system,
    difference,
    n,
    interval: clusters < FEWEST_CLUSTERS ? null : differenceInterval(difference, replicates, clusters),
    p: bootstrapP(difference, replicates, clusters),
  };
}

/** On the same questions the replicates of the difference are the differences of the replicates. */
function differenceOfMeans(left: Column, right: Column): Summary {
  const replicates = left.replicates.map((value, row) => value - right.replicates[row]!);
  return { mean: left.mean - right.mean, n: left.n, clusters: left.clusters, replicates };
}

function sameQuestions(left: Float64Array, right: Float64Array): boolean {
  for (let position = 0; position < left.length; position++) {
    if (Number.isNaN(left[position]!) !== Number.isNaN(right[position]!)) return false;
  }
  return true;
}
