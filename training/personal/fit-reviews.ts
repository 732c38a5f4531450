import { countTerms, TermSpace } from "../../src/reader/predictor/term-space.ts";
import { fitRidge } from "../../src/stats/linear/ridge-regression.ts";
import { selectRows } from "../../src/stats/linear/sparse-rows.ts";
import { stackVectors } from "./choose-story-weights.ts";
import type { ReviewForm, ReviewTable } from "./training-data.ts";

const REVIEW_PENALTY = 5;
const MINIMUM_REVIEWS = 20;
const CROSS_FIT_FOLDS = 4;

export interface ReviewFit {
  readonly space: TermSpace;
  /** Generosity and sentiment side by side. */
  readonly weights: Float32Array;
  readonly intercepts: readonly [number, number];
  /** By row of the table: read by a model that never saw the reader. NaN for rows outside `rows`. */
  readonly generosity: Float64Array;
  readonly sentiment: Float64Array;
}

/**
 * The words of a review → how the same reader rates other books (generosity), and the stars of this one (sentiment).
 *
 * Generosity is learnt from the mean of the reader's other ratings, each less the average of its book, so that a text
 * about a loved book does not pass for a generous reader. A mean over few others is noisy and weighs less.
 */
export function fitReviews(table: ReviewTable, rows: readonly number[], shrinkage: number): ReviewFit {
  const space = new TermSpace(
    countTerms(rows.length, (index) => table.termsOf(rows[index]!), { minimumDocuments: MINIMUM_REVIEWS }),
  );
  const matrix = stackVectors(
    space.size,
    rows.map((row) => space.vector(table.termsOf(row))),
  );
  const { targets, weights } = reviewTargets(table, rows, shrinkage);
  const solveFor = (positions: readonly number[]) =>
    fitRidge(
      selectRows(matrix, positions),
      Float64Array.from(positions.flatMap((position) => [targets[position * 2]!, targets[position * 2 + 1]!])),
      2,
      { penalty: REVIEW_PENALTY, tolerance: 1e-3, rowWeights: Float64Array.from(positions, (p) => weights[p]!) },
    );

  const generosity = new Float64Array(table.rows).fill(Number.NaN);
  const sentiment = new Float64Array(table.rows).fill(Number.NaN);
  const everything = [...rows.keys()];
  for (let fold = 0; fold < CROSS_FIT_FOLDS; fold++) {
    const held = everything.filter((position) => table.reader[rows[position]!]! % CROSS_FIT_FOLDS === fold);
    const model = solveFor(everything.filter((position) => table.reader[rows[position]!]! % CROSS_FIT_FOLDS !== fold));
    for (const position of held) {
      const row = rows[position]!;
      let [g, s] = [model.intercepts[0]!, model.intercepts[1]!];
      for (let entry = matrix.offsets[position]!; entry < matrix.offsets[position + 1]!; entry++) {
        const column = matrix.indices[entry]! * 2;
        g += model.weights[column]! * matrix.values[entry]!;
        s += model.weights[column + 1]! * matrix.values[entry]!;
      }
      generosity[row] = g;
      sentiment[row] = s;
    }
  }
  const whole = solveFor(everything);
  return {
    space,
    weights: Float32Array.from(whole.weights),
    intercepts: [whole.intercepts[0]!, whole.intercepts[1]!],
    generosity,
    sentiment,
  };
}

/** Reads rows that the fit never saw. */
export function applyReviews(fit: ReviewFit, table: ReviewTable, rows: readonly number[], form: ReviewForm): void {
  for (const row of rows) {
    const { positions, values } = fit.space.vector(table.termsOf(row, form));
    let [g, s] = fit.intercepts;
    for (let i = 0; i < positions.length; i++) {
      g += fit.weights[positions[i]! * 2]! * values[i]!;
      s += fit.weights[positions[i]! * 2 + 1]! * values[i]!;
    }
    fit.generosity[row] = g;
    fit.sentiment[row] = s;
  }
}

function reviewTargets(table: ReviewTable, rows: readonly number[], shrinkage: number) {
  const surprise = (row: number) => table.rating[row]! - table.books[table.book[row]!]!.average_rating;
  const sums = new Float64Array(table.readers);
  const counts = new Uint32Array(table.readers);
  for (const row of rows) {
    const reader = table.reader[row]!;
    sums[reader] = sums[reader]! + surprise(row);
    counts[reader]!++;
  }
  const targets = new Float64Array(rows.length * 2);
  const weights = new Float64Array(rows.length);
  rows.forEach((row, position) => {
    const reader = table.reader[row]!;
    const others = counts[reader]! - 1;
    targets[position * 2] = others > 0 ? (sums[reader]! - surprise(row)) / others : 0;
    targets[position * 2 + 1] = table.rating[row]!;
    weights[position] = others / (others + shrinkage);
  });
  return { targets, weights };
}
