import { seededRandom, shuffled } from "../../src/core/random.ts";
import {
  drawTwoWays,
  percentileBootstrap,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
  type Statistic,
} from "../../src/stats/index.ts";
import type { Figure } from "../part.ts";

const SEED = 1;
/**
 * Three ways to cut readers and books into folds, pooled: with one cut, which books fall together decides the second digit.
 * Designs were compared on the cuts 1, 2 and 3; these were drawn before an earlier training and have been looked at since,
 * for other weights of the same design.
 */
export const CUTS = [11, 12, 13];
/** Much-read books have hundreds of pairs. */
export const PAIRS_PER_BOOK = 12;
const RESAMPLES = 500;
const CORRELATIONS = { pearson: resampledPearson, spearman: resampledSpearman, kendall: resampledKendall } as const;
export type CorrelationName = keyof typeof CORRELATIONS;

/** A review that was predicted, and the rating that its reader gave. */
export interface Case {
  readonly reader: number;
  /** The review that is asked about: pooled cuts ask about some of them more than once. */
  readonly query: number;
  readonly book: number;
  readonly rating: number;
}

/** Two predictions of the same ratings, and how both are held against what readers gave. */
export interface Contest<C extends Case> {
  readonly id: string;
  readonly name: string;
  readonly by: CorrelationName;
  readonly predicted: (pair: C) => number;
  readonly baseline: (pair: C) => number;
}

/** How well the prediction goes with the ratings, beside the mean of the history. */
export function correlation<C extends Case>(cases: readonly C[], contest: Contest<C>): Figure {
  const { ours, theirs } = agreements(cases, contest);
  return {
    ...figure(cases, contest, ours),
    compare: { name: "mean of the history", value: onAll(theirs, cases) },
  };
}

/** How much better the prediction goes with the ratings than the baseline does. */
export function gain<C extends Case>(cases: readonly C[], contest: Contest<C>): Figure {
  const { ours, theirs } = agreements(cases, contest);
  return figure(cases, contest, (positions) => {
    const [left, right] = [ours(positions), theirs(positions)];
    return left.value === null ? left : right.value === null ? right : { value: left.value - right.value };
  });
}

function agreements<C extends Case>(cases: readonly C[], { by, predicted, baseline }: Contest<C>) {
  const ratings = cases.map(({ rating }) => rating);
  return {
    ours: CORRELATIONS[by](ratings, cases.map(predicted)),
    theirs: CORRELATIONS[by](ratings, cases.map(baseline)),
  };
}

/** Readers and books are drawn together: pairs of one reader are not independent, nor are pairs about one book. */
function figure(
  cases: readonly Case[],
  { id, name }: { readonly id: string; readonly name: string },
  statistic: (positions: ArrayLike<number>) => Statistic,
): Figure {
  const { interval } = percentileBootstrap({
    draw: drawTwoWays(
      cases.map(({ reader }) => reader),
      cases.map(({ book }) => book),
    ),
    statistic,
    random: seededRandom(SEED),
    resamples: RESAMPLES,
  });
  return {
    id,
    name,
    value: onAll(statistic, cases),
    interval: interval && [interval[0], interval[1]],
    n: new Set(cases.map(({ query }) => query)).size,
    better: "higher",
  };
}

function onAll(statistic: (positions: ArrayLike<number>) => Statistic, cases: readonly Case[]): number {
  return statistic(Uint32Array.from(cases.keys())).value ?? Number.NaN;
}

/** At most this many pairs about each book, drawn by the seed: what a few much-read books cannot decide. */
export function capped<C extends Case>(cases: readonly C[], perBook: number): C[] {
  const counts = new Map<number, number>();
  return shuffled(cases, seededRandom(SEED)).filter(({ book }) => {
    counts.set(book, (counts.get(book) ?? 0) + 1);
    return counts.get(book)! <= perBook;
  });
}
