import type { ProgressListener } from "../../../core/progress.ts";
import { seededRandom, shuffled } from "../../../core/random.ts";
import { readStory } from "../predictor/personal-model.ts";
import { applyHead } from "./fit-head.ts";
import { applyReviews } from "./fit-reviews.ts";
import { type SampledPair, sampleTestPairs } from "./sample-histories.ts";
import { pastReader, trainPersonalModel } from "./train-personal-model.ts";
import type { ReviewForm, ReviewTable } from "./training-data.ts";

/** One held-out pair: what the reader gave, and what each way of predicting says. */
export interface HeldOutPair {
  readonly fold: number;
  readonly reader: number;
  readonly length: number;
  readonly rating: number;
  readonly meanOfHistory: number;
  readonly biasPlusForecast: number;
  readonly predicted: number;
  readonly predictedWithAverage: number;
  readonly interval: readonly [number, number];
}

export interface CrossValidationOptions {
  readonly bookFolds: number;
  readonly readerFolds: number;
  readonly pairsPerReader: number;
  /** Histories of these lengths are tested on the same queries. */
  readonly lengths: readonly number[];
  readonly form: ReviewForm;
  readonly seed: number;
  readonly onProgress?: ProgressListener;
}

/**
 * Readers and books are cut into folds, and every cell (readers of one fold on books of one fold) is predicted by a model
 * that saw none of those readers and none of those books, the books of the history included.
 */
export function crossValidate(table: ReviewTable, options: CrossValidationOptions): HeldOutPair[] {
  const random = seededRandom(options.seed);
  const bookFold = foldsOf(table.books.length, options.bookFolds, random);
  const readerFold = foldsOf(table.readers, options.readerFolds, random);
  const longest = Math.max(...options.lengths);
  const cells = options.bookFolds * options.readerFolds;
  const held: HeldOutPair[] = [];
  for (let cell = 0; cell < cells; cell++) {
    options.onProgress?.({ stage: "cross-validation", done: cell, total: cells });
    const books = cell % options.bookFolds;
    const readers = Math.floor(cell / options.bookFolds);
    const { model, reviewFit } = trainPersonalModel(
      table,
      { books: (book) => bookFold[book] !== books, readers: (reader) => readerFold[reader] !== readers },
      options.seed + cell,
    );
    const rows = Array.from({ length: table.rows }, (_, row) => row).filter(
      (row) => bookFold[table.book[row]!] === books && readerFold[table.reader[row]!] === readers,
    );
    applyReviews(reviewFit, table, rows, options.form);
    const forecasts = table.books.map((story, book) =>
      bookFold[book] === books ? readStory(model, story).forecast! : Number.NaN,
    );
    const pasts = pastReader(table, model.likeness, reviewFit, (book) => forecasts[book]!);
    const pairs = sampleTestPairs(table, rows, {
      length: longest,
      minimum: longest + 1,
      perReader: options.pairsPerReader,
      random,
    });
    for (const pair of pairs) {
      for (const length of options.lengths) {
        held.push(heldOut({ ...pair, history: pair.history.slice(0, length) }, books));
      }
    }

    function heldOut(pair: SampledPair, fold: number): HeldOutPair {
      const history = pasts(pair);
      const book = table.book[pair.query]!;
      const { centres, shrinkage, heads } = model;
      const apply = (head: typeof heads.forecast, expectation: number) =>
        applyHead(head, history, expectation, centres, shrinkage);
      const predicted = apply(heads.forecast, forecasts[book]!);
      const spread = heads.forecast.spread[Math.min(history.length, heads.forecast.spread.length - 1)]!;
      const bias = history.reduce((sum, past) => sum + past.rating - past.expected, 0) / (history.length + shrinkage);
      return {
        fold,
        reader: pair.reader,
        length: history.length,
        rating: table.rating[pair.query]!,
        meanOfHistory: history.reduce((sum, past) => sum + past.rating, 0) / history.length,
        biasPlusForecast: forecasts[book]! + bias,
        predicted,
        predictedWithAverage: apply(heads.average, table.books[book]!.average_rating),
        interval: [predicted + spread[0], predicted + spread[1]],
      };
    }
  }
  options.onProgress?.({ stage: "cross-validation", done: cells, total: cells });
  return held;
}

function foldsOf(items: number, folds: number, random: () => number): Uint32Array {
  const fold = new Uint32Array(items);
  shuffled([...fold.keys()], random).forEach((item, position) => {
    fold[item] = position % folds;
  });
  return fold;
}
