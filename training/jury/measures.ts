import { groupBy } from "../../src/core/group-by.ts";
import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { pearson, spearman } from "../../src/stats/correlation.ts";
import { quantile } from "../../src/stats/distribution.ts";
import type { Lesson, Source } from "./fit-lessons.ts";

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
  /** Which deal of the folds predicted it. */
  readonly deal: number;
}

const RESAMPLES = 400;

/** The texts of a source with their predictions: by one deal of the folds, or by several. */
export function judgedOf(
  lessons: readonly Lesson[],
  deals: readonly Float64Array[],
  words: (place: number) => number,
  source: Source,
): Judged[] {
  return deals.flatMap((predictions, deal) =>
    lessons.flatMap(({ source: own, family, target: given }, place) => {
      const predicted = predictions[place]!;
      return own === source && !Number.isNaN(predicted)
        ? [{ family, predicted, given, words: words(place), deal }]
        : [];
    }),
  );
}

export function spearmanOf(judged: readonly Judged[]): Measured {
  return overDeals(judged, (drawn) => spearman(drawn.map(predictedOf), drawn.map(givenOf)).value ?? 0);
}

export function pearsonOf(judged: readonly Judged[]): Measured {
  return overDeals(judged, (drawn) => pearson(drawn.map(predictedOf), drawn.map(givenOf)).value ?? 0);
}

/** Spearman with length held constant: the partial correlation of the ranks. */
export function partialSpearmanOf(judged: readonly Judged[]): Measured {
  return overDeals(judged, (drawn) => {
    const rank = (left: (one: Judged) => number, right: (one: Judged) => number) =>
      spearman(drawn.map(left), drawn.map(right)).value ?? 0;
    const [both, first, second] = [
      rank(predictedOf, givenOf),
      rank(predictedOf, ({ words }) => words),
      rank(givenOf, ({ words }) => words),
    ];
    const spread = Math.sqrt((1 - first ** 2) * (1 - second ** 2));
    // A draw of one family may leave nothing but length to tell its texts apart.
    return spread > 0 ? (both - first * second) / spread : 0;
  });
}

/** The share of pairs in which the preferred text is predicted higher; a tie counts half. */
export function pairsRight(lessons: readonly Lesson[], deals: readonly Float64Array[], source: Source): Measured {
  const pairs = deals.flatMap((predictions, deal) => {
    const own = new Map<number, { family: string; deal: number; preferred: number; other: number }>();
    lessons.forEach(({ source: of, family, pair, target }, place) => {
      if (of !== source || pair === undefined || Number.isNaN(predictions[place]!)) return;
      const known = own.get(pair) ?? { family, deal, preferred: Number.NaN, other: Number.NaN };
      known[target === 1 ? "preferred" : "other"] = predictions[place]!;
      own.set(pair, known);
    });
    return [...own.values()];
  });
  return overDeals(pairs, (drawn) => {
    const right = drawn.map(({ preferred, other }) => (preferred > other ? 1 : preferred === other ? 0.5 : 0));
    return right.reduce<number>((sum, one) => sum + one, 0) / right.length;
  });
}

/** The mean over deals of the folds; each resample draws the same families for every deal. */
function overDeals<T extends { readonly family: string; readonly deal: number }>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
): Measured {
  const deals = new Set(items.map(({ deal }) => deal)).size;
  const mean = (drawn: readonly T[]) => {
    const values = [...groupBy(drawn, ({ deal }) => deal).values()].map(statistic);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const { n, ...rest } = measured(items, mean);
  return { ...rest, n: n / deals };
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
