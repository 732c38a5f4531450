import type { Random } from "../core/random.ts";
import { quantile } from "../stats/distribution.ts";
import {
  correlationsOf,
  explainedShare,
  generalDominance,
  standardisedCoefficients,
} from "../stats/linear/dominance-analysis.ts";
import { drawPositions } from "../stats/resampling.ts";
import type { AspectMentions, ReviewedBook } from "./criteria-analysis.ts";

/** How much of the differences between books' ratings goes with the opinion of one aspect. */
export interface AspectImportance {
  readonly aspect: string;
  /** Its part of R² by general dominance, as a share of what all aspects explain together. */
  readonly share: number;
  readonly shareInterval: readonly [number, number] | null;
  /** The standardised coefficient beside all other aspects; null where aspects repeat each other. */
  readonly coefficient: number | null;
  readonly coefficientInterval: readonly [number, number] | null;
}

export interface ImportanceAnalysis {
  readonly books: number;
  /** Books left out: some aspect is mentioned in too few of their reviews, or they are of none of the main genres. */
  readonly booksLeftOut: number;
  readonly genres: readonly { readonly genre: string; readonly books: number }[];
  /** R² within genres. */
  readonly explained: number;
  readonly aspects: readonly AspectImportance[];
}

export interface ImportanceOptions {
  readonly random: Random;
  readonly resamples: number;
  /** Every genre counts the same, however many books it has. */
  readonly isBalanced: boolean;
}

/** The genres that LongStoryEval balances its figures over. */
export const MAIN_GENRES = [
  "Romance",
  "Fantasy",
  "Thriller",
  "Mystery",
  "Historical Fiction",
  "Science Fiction",
  "Young Adult",
] as const;

const FEWEST_MENTIONS = 5;
const FEWEST_BOOKS = 30;

/** The first of the main genres that readers put a book under, in their order; null where none of them is one. */
export function mainGenre(genres: readonly string[]): string | null {
  return genres.find((genre) => MAIN_GENRES.some((name) => name === genre)) ?? null;
}

/**
 * What goes with a book's rating: a regression of books' average ratings on the average rating of those of their reviews that
 * mention each aspect (LongStoryEval, B.4), with a fixed effect for each genre, taken apart by dominance analysis. Intervals
 * come from drawing books. The ratings of a review answer to everything in it, so aspects go together, and shares compare
 * them; they are no effects. Null when too few books have enough reviews of every aspect.
 */
export function analyseImportance(
  reviews: readonly AspectMentions[],
  books: ReadonlyMap<string, ReviewedBook>,
  aspects: readonly string[],
  options: ImportanceOptions,
): ImportanceAnalysis | null {
  const opinions = opinionsByBook(reviews, aspects);
  const complete = [...opinions].flatMap(([id, means]) => {
    const book = books.get(id);
    // Books of no main genre are of many kinds: one fixed effect for all of them would compare cookery with crime.
    const genre = book && mainGenre(book.genres);
    return genre && means.every((value) => value !== null) ? [{ book, genre, means: means as number[] }] : [];
  });
  if (complete.length < FEWEST_BOOKS || aspects.length < 2) return null;
  const genres = complete.map(({ genre }) => genre);
  const measure = (positions: ArrayLike<number>) => {
    const drawn = Array.from(positions);
    const own = drawn.map((at) => genres[at]!);
    const weights = weightsOf(own, options.isBalanced);
    const within = (values: readonly number[]) => withinGroups(values, own);
    const columns = aspects.map((_, aspect) => within(drawn.map((at) => complete[at]!.means[aspect]!)));
    const outcome = within(drawn.map((at) => complete[at]!.book.averageRating));
    const correlations = correlationsOf(columns, outcome, weights);
    const parts = generalDominance(correlations, options.random);
    const explained = explainedShare(correlations, [...aspects.keys()]);
    return { parts, explained, coefficients: standardisedCoefficients(correlations) };
  };
  const whole = measure([...complete.keys()]);
  const draws = Array.from({ length: options.resamples }, () =>
    measure(drawPositions(complete.length)(options.random)),
  );
  const share = ({ parts, explained }: typeof whole, at: number) => (explained > 0 ? parts[at]! / explained : 0);
  return {
    books: complete.length,
    booksLeftOut: opinions.size - complete.length,
    genres: [...new Set(genres)].map((genre) => ({ genre, books: genres.filter((own) => own === genre).length })),
    explained: whole.explained,
    aspects: aspects.map((aspect, at) => ({
      aspect,
      share: share(whole, at),
      shareInterval: intervalOf(draws.map((draw) => share(draw, at))),
      coefficient: whole.coefficients?.[at] ?? null,
      coefficientInterval: intervalOf(draws.flatMap(({ coefficients }) => coefficients?.[at] ?? [])),
    })),
  };
}

/** For each book, the mean rating of its reviews that mention each aspect; null where they are too few. */
function opinionsByBook(
  reviews: readonly AspectMentions[],
  aspects: readonly string[],
): Map<string, (number | null)[]> {
  const sums = new Map<string, { sum: number; count: number }[]>();
  for (const { book, rating, aspects: mentioned } of reviews) {
    const tallies = sums.get(book) ?? aspects.map(() => ({ sum: 0, count: 0 }));
    sums.set(book, tallies);
    for (const [at, aspect] of aspects.entries()) {
      if (!mentioned.has(aspect)) continue;
      tallies[at]!.sum += rating;
      tallies[at]!.count += 1;
    }
  }
  const meanOf = ({ sum, count }: { sum: number; count: number }) => (count < FEWEST_MENTIONS ? null : sum / count);
  return new Map([...sums].map(([book, tallies]) => [book, tallies.map(meanOf)]));
}

/** A fixed effect for each group: what is left when every group has the same mean. */
function withinGroups(values: readonly number[], groups: readonly string[]): Float64Array {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [at, group] of groups.entries()) {
    const tally = sums.get(group) ?? { sum: 0, count: 0 };
    sums.set(group, { sum: tally.sum + values[at]!, count: tally.count + 1 });
  }
  return Float64Array.from(values, (value, at) => {
    const { sum, count } = sums.get(groups[at]!)!;
    return value - sum / count;
  });
}

function weightsOf(groups: readonly string[], isBalanced: boolean): Float64Array {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  return Float64Array.from(groups, (group) => (isBalanced ? 1 / counts.get(group)! : 1));
}

function intervalOf(values: readonly number[]): readonly [number, number] | null {
  if (values.length < 20) return null;
  return [quantile(values, 0.025), quantile(values, 0.975)];
}
