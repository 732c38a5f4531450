import type { Random } from "../core/random.ts";
import { countOf } from "../core/wording.ts";
import { drawPositions, percentileBootstrap, resampledKendall } from "../stats/index.ts";

/** What the analysis needs of a review: which book, how many stars, which aspects it mentions. */
export interface AspectMentions {
  readonly book: string;
  readonly rating: number;
  readonly aspects: ReadonlySet<string>;
}

export interface ReviewedBook {
  readonly genres: readonly string[];
  readonly averageRating: number;
}

/** Share of reviews that mention each aspect, in percent. */
export interface AspectFrequency {
  readonly group: string;
  readonly reviews: number;
  readonly shares: Readonly<Record<string, number>>;
}

/**
 * Kendall's τ between a book's average rating and the average rating of those of its reviews that speak of the aspect: the
 * paper's approximate significance (B.4). A review's rating answers to all it speaks of, so this compares aspects; it does
 * not measure one.
 */
export interface AspectSignificance {
  readonly aspect: string;
  readonly kendall: number | null;
  readonly interval: readonly [number, number] | null;
  readonly books: number;
}

export interface CriteriaAnalysis {
  readonly aspects: readonly string[];
  readonly overall: AspectFrequency;
  readonly byRating: readonly AspectFrequency[];
  readonly byGenre: readonly AspectFrequency[];
  readonly significance: readonly AspectSignificance[];
}

const GENRES_SHOWN = 12;
const FEWEST_MENTIONS = 5;

export function analyseCriteria(
  reviews: readonly AspectMentions[],
  books: ReadonlyMap<string, ReviewedBook>,
  aspects: readonly string[],
  random: Random,
): CriteriaAnalysis {
  const frequency = (group: string, members: readonly AspectMentions[]): AspectFrequency => ({
    group,
    reviews: members.length,
    shares: Object.fromEntries(
      aspects.map((aspect) => [
        aspect,
        (100 * members.filter((review) => review.aspects.has(aspect)).length) / members.length,
      ]),
    ),
  });
  const ofStar = (star: number) => reviews.filter(({ rating }) => Math.round(rating) === star);
  const ofGenre = (genre: string) => reviews.filter(({ book }) => books.get(book)?.genres.includes(genre));
  const groups = (named: readonly (readonly [string, readonly AspectMentions[]])[]) =>
    named.filter(([, members]) => members.length > 0).map(([name, members]) => frequency(name, members));
  return {
    aspects,
    overall: frequency("all", reviews),
    byRating: groups([5, 4, 3, 2, 1].map((star) => [countOf(star, "star"), ofStar(star)] as const)),
    byGenre: groups(commonGenres(books).map((genre) => [genre, ofGenre(genre)] as const)),
    significance: aspects.map((aspect) => significance(aspect, reviews, books, random)),
  };
}

function commonGenres(books: ReadonlyMap<string, ReviewedBook>): string[] {
  const counts = new Map<string, number>();
  for (const { genres } of books.values()) for (const genre of genres) counts.set(genre, (counts.get(genre) ?? 0) + 1);
  return [...counts]
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, GENRES_SHOWN)
    .map(([genre]) => genre);
}

function significance(
  aspect: string,
  reviews: readonly AspectMentions[],
  books: ReadonlyMap<string, ReviewedBook>,
  random: Random,
): AspectSignificance {
  const mentioned = new Map<string, { sum: number; count: number }>();
  for (const { book, rating, aspects } of reviews) {
    if (!aspects.has(aspect)) continue;
    const tally = mentioned.get(book) ?? { sum: 0, count: 0 };
    mentioned.set(book, { sum: tally.sum + rating, count: tally.count + 1 });
  }
  const pairs = [...mentioned].flatMap(([id, { sum, count }]) => {
    const book = books.get(id);
    return book && count >= FEWEST_MENTIONS ? [[sum / count, book.averageRating] as const] : [];
  });
  const statistic = resampledKendall(
    pairs.map(([own]) => own),
    pairs.map(([, whole]) => whole),
  );
  if (pairs.length < 3) return { aspect, kendall: null, interval: null, books: pairs.length };
  const { interval } = percentileBootstrap({ draw: drawPositions(pairs.length), statistic, random, resamples: 1000 });
  return { aspect, kendall: statistic([...pairs.keys()]).value, interval, books: pairs.length };
}
