import { seededRandom } from "../../core/random.ts";
import { holmCorrection } from "../../stats/comparison/holm-correction.ts";
import {
  bootstrapP,
  type ClusterDraws,
  clusterTotals,
  drawClusters,
  middleOf,
  resampledMeans,
} from "../../stats/resampling/cluster-bootstrap.ts";
import type { AnswerSheet, SheetSystem } from "./answer-sheet.ts";

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

/** Two systems on the questions that both have a score for. */
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
/** With fewer books to draw, an interval says more about the draws than about the systems. */
const LEAST_BOOKS = 5;
/** Single questions are drawn in groups that take one question each in turn, which gives the same spread at a fixed cost. */
const QUESTION_GROUPS = 250;

/**
 * Systems × metrics with 95 % intervals, and every two systems compared. All draw the same books, so that a difference is
 * between answers to the same questions: a book that is hard for one system is usually hard for the other.
 */
export function compareSystems(sheet: AnswerSheet, options: ComparisonOptions): SystemComparison {
  const { clusterOf, clusters, over } = clustersOf(sheet);
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
    resamples: draws.resamples,
    metrics,
    systems: sheet.systems.map((system) => ({
      system: system.name,
      questions: system.answers.filter((answer) => answer !== undefined).length,
      unanswered: system.answers.filter((answer) => answer === null).length,
      seen: system.seen,
      metrics: Object.fromEntries(
        [...columns.get(system)!].map(([metric, { mean, replicates, n }]) => [
          metric,
          { mean, interval: middleOf(replicates), n },
        ]),
      ),
    })),
    differences,
  };
}

interface Column {
  readonly system: string;
  readonly values: Float64Array;
  readonly mean: number;
  readonly n: number;
  readonly replicates: Float64Array;
}

function columnsOf(system: SheetSystem, clusterOf: Uint32Array, draws: ClusterDraws): Map<string, Column> {
  return new Map(
    Object.entries(system.scores).map(([metric, values]) => [
      metric,
      { system: system.name, values, ...summary(values, clusterOf, draws) },
    ]),
  );
}

function summary(values: Float64Array, clusterOf: Uint32Array, draws: ClusterDraws) {
  const totals = clusterTotals(values, clusterOf, draws.clusters);
  let sum = 0;
  let n = 0;
  for (let cluster = 0; cluster < draws.clusters; cluster++) {
    sum += totals.sums[cluster]!;
    n += totals.sizes[cluster]!;
  }
  return { mean: sum / n, n, replicates: resampledMeans(totals, draws) };
}

/** Null when the two share no question. */
function differenceOf(
  metric: string,
  left: Column,
  right: Column,
  clusterOf: Uint32Array,
  draws: ClusterDraws,
): SystemDifference | null {
  const names = { metric, left: left.system, right: right.system };
  if (sameQuestions(left.values, right.values)) {
    // On the same questions the replicates of the difference are the differences of the replicates.
    const replicates = left.replicates.map((value, row) => value - right.replicates[row]!);
    const difference = left.mean - right.mean;
    return {
      ...names,
      difference,
      interval: middleOf(replicates),
      n: left.n,
      p: bootstrapP(difference, replicates, draws.clusters),
    };
  }
  const values = left.values.map((value, position) => value - right.values[position]!);
  const { mean: difference, n, replicates } = summary(values, clusterOf, draws);
  if (n === 0) return null;
  const p = bootstrapP(difference, replicates, draws.clusters);
  return { ...names, difference, interval: middleOf(replicates), n, p };
}

function sameQuestions(left: Float64Array, right: Float64Array): boolean {
  for (let position = 0; position < left.length; position++) {
    if (Number.isNaN(left[position]!) !== Number.isNaN(right[position]!)) return false;
  }
  return true;
}

/** Books, when every question's book is known and there are some; otherwise questions as if they were independent. */
function clustersOf({ questions }: AnswerSheet) {
  const books = new Map<string, number>();
  const known = new Set(questions.map(({ book }) => book));
  const isKnown = !known.has(null) && known.size >= LEAST_BOOKS;
  const groups = Math.min(questions.length, QUESTION_GROUPS);
  const clusterOf = Uint32Array.from(questions, ({ book }, position) => {
    if (!isKnown || book === null) return position % groups;
    if (!books.has(book)) books.set(book, books.size);
    return books.get(book)!;
  });
  return isKnown
    ? { clusterOf, clusters: books.size, over: "books" as const }
    : { clusterOf, clusters: groups, over: "questions" as const };
}
