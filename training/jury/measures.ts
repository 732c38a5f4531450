import { groupBy } from "../../src/core/group-by.ts";
import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { pearson } from "../../src/stats/correlation/pearson.ts";
import { spearman } from "../../src/stats/correlation/spearman.ts";
import { quantile } from "../../src/stats/distribution/quantile.ts";
import type { Lesson, Source } from "./lesson.ts";

/** A figure with its 95% interval, over families drawn with replacement. */
export interface Measured {
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly n: number;
}

export interface Judged {
  readonly family: string;
  readonly predicted: number;
  readonly given: number;
  readonly words: number;
}

const RESAMPLES = 400;

export function judgedOf(
  lessons: readonly Lesson[],
  predictions: Float64Array,
  words: (place: number) => number,
  source: Source,
): Judged[] {
  return lessons.flatMap((lesson, place) =>
    lesson.source === source && !Number.isNaN(predictions[place]!)
      ? [{ family: lesson.family, predicted: predictions[place]!, given: lesson.target, words: words(place) }]
      : [],
  );
}

export function spearmanOf(judged: readonly Judged[]): Measured {
  return measured(judged, (drawn) => spearman(drawn.map(predictedOf), drawn.map(givenOf)).value ?? 0);
}

export function pearsonOf(judged: readonly Judged[]): Measured {
  return measured(judged, (drawn) => pearson(drawn.map(predictedOf), drawn.map(givenOf)).value ?? 0);
}

/** Spearman with length held constant: the partial correlation of the ranks. */
export function partialSpearmanOf(judged: readonly Judged[]): Measured {
  return measured(judged, (drawn) => {
    const rank = (left: (one: Judged) => number, right: (one: Judged) => number) =>
      spearman(drawn.map(left), drawn.map(right)).value ?? 0;
    const [both, first, second] = [
      rank(predictedOf, givenOf),
      rank(predictedOf, ({ words }) => words),
      rank(givenOf, ({ words }) => words),
    ];
    return (both - first * second) / Math.sqrt((1 - first ** 2) * (1 - second ** 2));
  });
}

/** The share of pairs in which the preferred text is predicted higher; a tie counts half. */
export function pairsRight(lessons: readonly Lesson[], predictions: Float64Array, source: Source): Measured {
  const pairs = new Map<number, { family: string; preferred: number; other: number }>();
  lessons.forEach((lesson, place) => {
    if (lesson.source !== source || lesson.pair === undefined || Number.isNaN(predictions[place]!)) return;
    const known = pairs.get(lesson.pair) ?? { family: lesson.family, preferred: Number.NaN, other: Number.NaN };
    known[lesson.target === 1 ? "preferred" : "other"] = predictions[place]!;
    pairs.set(lesson.pair, known);
  });
  return measured([...pairs.values()], (drawn) => {
    const right = drawn.map(({ preferred, other }) => (preferred > other ? 1 : preferred === other ? 0.5 : 0));
    return right.reduce<number>((sum, one) => sum + one, 0) / right.length;
  });
}

export function measured<T extends { readonly family: string }>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
): Measured {
  const families = [...groupBy(items, ({ family }) => family).values()];
  const random = seededRandom(1);
  const values = Array.from({ length: RESAMPLES }, () => statistic(drawn(families, random)));
  return {
    value: statistic(items),
    interval: [quantile(values, 0.025), quantile(values, 0.975)],
    n: items.length,
  };
}

function drawn<T>(families: readonly (readonly T[])[], random: Random): T[] {
  return families.flatMap(() => families[randomInteger(random, families.length)]!);
}

function predictedOf({ predicted }: Judged): number {
  return predicted;
}

function givenOf({ given }: Judged): number {
  return given;
}

export function inWords({ value, interval }: Measured): string {
  return `${value.toFixed(2)} [${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}]`;
}
