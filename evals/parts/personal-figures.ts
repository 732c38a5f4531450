import { seededRandom } from "../../src/core/random.ts";
import {
  percentileBootstrap,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
  type Statistic,
} from "../../src/stats/index.ts";
import type { Figure } from "../part.ts";

const SEED = 1;
const RESAMPLES = 500;
const CORRELATIONS = { pearson: resampledPearson, spearman: resampledSpearman, kendall: resampledKendall } as const;
export type CorrelationName = keyof typeof CORRELATIONS;

/** A review that was predicted, and the rating that its reader gave. */
export interface Case {
  readonly reader: number;
  /** The review that is asked about: pooled cuts ask about some of them more than once. */
  readonly query: number;
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

/** Whole readers are drawn, since one reader's pairs are not independent. */
function figure(
  cases: readonly Case[],
  { id, name }: { readonly id: string; readonly name: string },
  statistic: (positions: ArrayLike<number>) => Statistic,
): Figure {
  const byReader = new Map<number, number[]>();
  for (const [position, { reader }] of cases.entries()) {
    byReader.set(reader, [...(byReader.get(reader) ?? []), position]);
  }
  const groups = [...byReader.values()];
  const { interval } = percentileBootstrap({
    draw: (random) => groups.flatMap(() => groups[Math.floor(random() * groups.length)]!),
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
