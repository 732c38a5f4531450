import type { Random } from "../../core/random.ts";
import { sum } from "../../stats/distribution/sum.ts";

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
