import { FabulaError } from "../core/errors.ts";
import { type Random, seededRandom } from "../core/random.ts";
import { mean, sum } from "../stats/distribution.ts";
import { clampStars, type PersonalModel, readStory } from "./predictor/personal-model.ts";
import type { PastReview, ReaderPair, Story } from "./predictor/story.ts";

/**
 * Reader bias plus item forecast: what readers in general are expected to give the story, shifted by how far this reader's
 * earlier ratings were from such forecasts, shrunk towards zero when the history is short.
 */
export function biasPlusForecast(
  forecast: number,
  history: readonly { readonly rating: number; readonly expected: number }[],
  shrinkage: number,
): number {
  const bias = history.reduce((sum, { rating, expected }) => sum + rating - expected, 0);
  return forecast + bias / (history.length + shrinkage);
}

export interface Rating {
  readonly reader: number;
  readonly book: number;
  readonly rating: number;
}

export interface FactorisationOptions {
  readonly rank: number;
  readonly penalty: number;
  /** How strongly the levels of books and readers are shrunk towards zero, in ratings. */
  readonly biasPenalty: number;
  readonly rounds: number;
  readonly random: Random;
}

export interface Factorisation {
  /** What a reader with these ratings of known books gives another known book. */
  predict(history: readonly Omit<Rating, "reader">[], book: number): number;
}

/**
 * Matrix factorisation with biases (Koren, Bell and Volinsky, 2009) by alternating least squares. A new reader is folded
 * in: their bias and factors are solved from their few ratings with the books' factors held still. It knows only books
 * that others rated, so it cannot predict for a story without ratings.
 */
export function factorise(
  ratings: readonly Rating[],
  size: { readonly readers: number; readonly books: number },
  options: FactorisationOptions,
): Factorisation {
  const { rank, penalty, biasPenalty } = options;
  const mean = sum(ratings.map(({ rating }) => rating)) / ratings.length;
  const bookBias = new Float64Array(size.books);
  const readerBias = new Float64Array(size.readers);
  for (let round = 0; round < 10; round++) {
    levels(bookBias, ratings, "book", (row) => row.rating - mean - readerBias[row.reader]!, biasPenalty);
    levels(readerBias, ratings, "reader", (row) => row.rating - mean - bookBias[row.book]!, biasPenalty);
  }
  const bookFactors = Float64Array.from({ length: size.books * rank }, () => (options.random() - 0.5) / rank);
  const readerFactors = new Float64Array(size.readers * rank);
  const rest = (row: Rating) => row.rating - mean - bookBias[row.book]! - readerBias[row.reader]!;
  const byReader = grouped(ratings, size.readers, "reader");
  const byBook = grouped(ratings, size.books, "book");
  for (let round = 0; round < options.rounds; round++) {
    byReader.forEach((rows, reader) => {
      const seen = rows.map((row) => ({ factors: slice(bookFactors, row.book, rank), value: rest(row) }));
      readerFactors.set(solveFactors(seen, rank, penalty), reader * rank);
    });
    byBook.forEach((rows, book) => {
      const seen = rows.map((row) => ({ factors: slice(readerFactors, row.reader, rank), value: rest(row) }));
      bookFactors.set(solveFactors(seen, rank, penalty), book * rank);
    });
  }
  return {
    predict(history, book) {
      const level = mean + bookBias[book]!;
      const surprises = history.map((row) => row.rating - mean - bookBias[row.book]!);
      const bias = sum(surprises) / (history.length + biasPenalty);
      const seen = history.map((row, i) => ({
        factors: slice(bookFactors, row.book, rank),
        value: surprises[i]! - bias,
      }));
      return level + bias + dot(solveFactors(seen, rank, penalty), slice(bookFactors, book, rank));
    },
  };
}

function levels(
  into: Float64Array,
  ratings: readonly Rating[],
  key: "book" | "reader",
  rest: (row: Rating) => number,
  penalty: number,
): void {
  const sums = new Float64Array(into.length);
  const counts = new Float64Array(into.length).fill(penalty);
  for (const row of ratings) {
    sums[row[key]] = sums[row[key]]! + rest(row);
    counts[row[key]]!++;
  }
  for (let i = 0; i < into.length; i++) into[i] = counts[i]! > 0 ? sums[i]! / counts[i]! : 0;
}

function grouped(ratings: readonly Rating[], size: number, key: "book" | "reader"): Rating[][] {
  const groups: Rating[][] = Array.from({ length: size }, () => []);
  for (const row of ratings) groups[row[key]]!.push(row);
  return groups;
}

/** (FᵀF + λI) x = Fᵀv by Gaussian elimination: the system is small, symmetric and positive definite. */
function solveFactors(
  seen: readonly { readonly factors: Float64Array; readonly value: number }[],
  rank: number,
  penalty: number,
): Float64Array {
  const system = Array.from({ length: rank }, (_, row) => {
    const line = new Float64Array(rank + 1);
    line[row] = penalty;
    for (const { factors, value } of seen) {
      for (let column = 0; column < rank; column++) line[column] = line[column]! + factors[row]! * factors[column]!;
      line[rank] = line[rank]! + factors[row]! * value;
    }
    return line;
  });
  for (let pivot = 0; pivot < rank; pivot++) {
    for (let row = 0; row < rank; row++) {
      if (row === pivot) continue;
      const factor = system[row]![pivot]! / system[pivot]![pivot]!;
      if (factor === 0) continue;
      for (let column = pivot; column <= rank; column++) {
        system[row]![column] = system[row]![column]! - factor * system[pivot]![column]!;
      }
    }
  }
  return Float64Array.from(system, (line, row) => line[rank]! / line[row]!);
}

function slice(factors: Float64Array, index: number, rank: number): Float64Array {
  return factors.subarray(index * rank, (index + 1) * rank);
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((sum, value, i) => sum + value * right[i]!, 0);
}

/** The simplest guess: the mean of the reader's earlier ratings. Null without any. */
export function meanOfHistory(ratings: readonly number[]): number | null {
  return ratings.length === 0 ? null : mean(ratings);
}

/** What a personal prediction has to beat. */
export type BaselineName = "mean" | "matrix-factorisation" | "bias-and-forecast";

export type BaselinePrediction =
  | { readonly kind: "predicted"; readonly rating: number }
  | { readonly kind: "unscored"; readonly reason: string };

/** Who gave which book how many stars; a book is identified by its id or its title. */
export interface KnownRating {
  readonly reader: string;
  readonly book: string;
  readonly rating: number;
}

/** Shrunk strongly towards the mean, because most readers rated few books. */
export const FACTORISATION: Omit<FactorisationOptions, "random"> = { rank: 8, penalty: 8, biasPenalty: 2.5, rounds: 8 };

type Baseline = (pair: Pick<ReaderPair, "history" | "query">) => BaselinePrediction;

export function baselinePredictor(
  name: BaselineName,
  model: PersonalModel,
  ratings: readonly KnownRating[] | null,
): Baseline {
  switch (name) {
    case "mean":
      return ({ history }) => verdict(meanOfHistory(stars(history)), "no earlier review has stars");
    case "bias-and-forecast":
      return ({ history, query }) => {
        const forecast = expected(model, query);
        const past = history.flatMap((review) => {
          const forecastThen = expected(model, review);
          return review.rating === undefined || forecastThen === null
            ? []
            : [{ rating: review.rating, expected: forecastThen }];
        });
        return verdict(
          forecast === null ? null : biasPlusForecast(forecast, past, model.shrinkage),
          "the story has neither an average rating nor a description",
        );
      };
    case "matrix-factorisation":
      if (ratings === null || ratings.length === 0) {
        throw new FabulaError(
          "E_USAGE",
          "Matrix factorisation learns from what others gave the same books: give them with --ratings FILE.",
        );
      }
      return factorisation(ratings);
    default:
      return name satisfies never;
  }
}

function factorisation(ratings: readonly KnownRating[]): Baseline {
  const books = numbered(ratings.map(({ book }) => nameOf(book)));
  const readers = numbered(ratings.map(({ reader }) => reader));
  const model = factorise(
    ratings.map(({ reader, book, rating }) => ({
      reader: readers.get(reader)!,
      book: books.get(nameOf(book))!,
      rating,
    })),
    { readers: readers.size, books: books.size },
    { ...FACTORISATION, random: seededRandom(1) },
  );
  const place = (story: Story) => [story.book, story.title].map((name) => books.get(nameOf(name ?? ""))).find(isKnown);
  return ({ history, query }) => {
    const book = place(query);
    if (book === undefined) {
      return { kind: "unscored", reason: "the story has no ratings: matrix factorisation knows only rated books" };
    }
    const known = history.flatMap((review) => {
      const past = place(review);
      return past === undefined || review.rating === undefined ? [] : [{ book: past, rating: review.rating }];
    });
    return { kind: "predicted", rating: clampStars(model.predict(known, book)) };
  };
}

function expected(model: PersonalModel, story: Story): number | null {
  return story.average_rating ?? readStory(model, story).forecast;
}

function stars(history: readonly PastReview[]): number[] {
  return history.flatMap(({ rating }) => rating ?? []);
}

function verdict(rating: number | null, reason: string): BaselinePrediction {
  return rating === null ? { kind: "unscored", reason } : { kind: "predicted", rating: clampStars(rating) };
}

function numbered(names: readonly string[]): Map<string, number> {
  return new Map([...new Set(names)].map((name, number) => [name, number]));
}

function nameOf(book: string): string {
  return book.trim().toLowerCase();
}

function isKnown(place: number | undefined): place is number {
  return place !== undefined;
}
