import type { ProgressListener } from "../../src/core/progress.ts";
import { type Random, seededRandom, shuffled } from "../../src/core/random.ts";
import { biasPlusForecast, meanOfHistory } from "../../src/reader/baselines.ts";
import { type Head, type PersonalModel, readStory } from "../../src/reader/predictor/personal-model.ts";
import { circumstances, intervalFrom, levelOf, reachFor, starChances } from "../../src/reader/predictor/spread.ts";
import type { EarlierReview } from "../../src/reader/predictor/votes.ts";
import { applyHead } from "./fit-head.ts";
import { applyReviews } from "./fit-reviews.ts";
import { rowsByReader, type SampledPair, sampleTestPairs } from "./sample-histories.ts";
import { LONGEST_HISTORY, pastReader, type TrainedPersonalModel, trainPersonalModel } from "./train-personal-model.ts";
import type { ReviewForm, ReviewTable } from "./training-data.ts";

/** What of the earlier reviews the predictor is shown: their words in some form, or the stars alone. */
export type Shown = ReviewForm | "stars";

/** One held-out pair: what the reader gave, and what each way of predicting says. */
export interface HeldOutPair {
  readonly reader: number;
  /** The row of the table that is asked about. */
  readonly query: number;
  readonly book: number;
  readonly length: number;
  readonly shown: Shown;
  readonly rating: number;
  readonly meanOfHistory: number;
  /** The mean of every rating the prediction rests on: of the history, and of the books learnt from where those are known too. */
  readonly meanOfAll: number;
  /** How many those are. */
  readonly known: number;
  /** Reader bias plus item forecast: the forecast of the story, moved by how far the reader was from earlier forecasts. */
  readonly biasPlusForecast: number;
  /** The same with the story's average rating in place of its forecast. */
  readonly biasPlusAverage: number;
  readonly predicted: number;
  readonly predictedWithAverage: number;
  readonly interval: readonly [number, number];
  /** Where the story's average rating is known. */
  readonly intervalWithAverage: readonly [number, number];
  /** Of each whole number of stars. */
  readonly chances: readonly number[];
  /** How strict or kind the reader was before. */
  readonly level: number;
  /** What the prediction rests on, for what is tried on top of it; only where the reader's other ratings are all known. */
  readonly restsOn?: {
    readonly model: PersonalModel;
    readonly history: readonly EarlierReview[];
    /** By position in the history. */
    readonly books: readonly number[];
  };
}

export interface TestDesign {
  readonly pairsPerReader: number;
  /** Histories of these lengths meet the same queries, the shorter ones being the beginnings of the longest. */
  readonly lengths: readonly number[];
  readonly shown: readonly Shown[];
  /** Whether the averages of the history's books are known. */
  readonly averages?: boolean;
  /**
   * What else is known of the reader: nothing, or what they said of the books learnt from (at most `LONGEST_HISTORY` reviews in all), with the
   * averages of those books or without. Readers with fewer than `fewestKnown` reviews in all are then left out.
   */
  readonly earlier?: {
    readonly averages: boolean;
    readonly fewestKnown: number;
    /** Whether the reader's other ratings of books kept back are known too. */
    readonly others?: boolean;
  };
}

/**
 * Readers and books are cut into folds, and every cell (readers of one fold on books of one fold) is predicted by a model
 * that saw none of those readers and none of those books, the books of the history included. With one fold of readers only
 * the books are new: the model saw what the same readers said of others. Several test designs share the training.
 */
export function crossValidate<Name extends string>(
  table: ReviewTable,
  folds: { readonly books: number; readonly readers: number; readonly seed: number },
  designs: Readonly<Record<Name, TestDesign>>,
  onProgress: ProgressListener = () => {},
): Map<Name, HeldOutPair[]> {
  const random = seededRandom(folds.seed);
  const bookFold = foldsOf(table.books.length, folds.books, random);
  const readerFold = foldsOf(table.readers, folds.readers, random);
  const cells = folds.books * folds.readers;
  const names = Object.keys(designs) as Name[];
  const held = new Map(names.map((name) => [name, [] as HeldOutPair[]]));
  for (let cell = 0; cell < cells; cell++) {
    onProgress({ stage: "cross-validation", done: cell, total: cells });
    const books = cell % folds.books;
    const readers = Math.floor(cell / folds.books);
    const trained = trainPersonalModel(
      table,
      {
        books: (book) => bookFold[book] !== books,
        readers: (reader) => folds.readers === 1 || readerFold[reader] !== readers,
      },
      folds.seed + cell,
    );
    const rows = Array.from({ length: table.rows }, (_, row) => row).filter(
      (row) => bookFold[table.book[row]!] === books && readerFold[table.reader[row]!] === readers,
    );
    for (const name of names) {
      held.get(name)!.push(...testCell(table, trained, rows, designs[name], random));
    }
  }
  onProgress({ stage: "cross-validation", done: cells, total: cells });
  return held;
}

function testCell(
  table: ReviewTable,
  { model, reviewFit, forecasts: learntForecasts, rows: learnt }: TrainedPersonalModel,
  rows: readonly number[],
  design: TestDesign,
  random: Random,
): HeldOutPair[] {
  const longest = Math.max(...design.lengths);
  const { earlier } = design;
  const learntBy = rowsByReader(table, earlier ? learnt : []);
  const keptBy = rowsByReader(table, earlier?.others ? rows : []);
  const learntBooks = new Set(earlier ? Array.from(learnt, (row) => table.book[row]!) : []);
  const pairs = sampleTestPairs(table, rows, {
    length: longest,
    minimum: longest + 1,
    perReader: design.pairsPerReader,
    random,
  });
  const forecasts = new Map<number, number>();
  const forecast = (book: number) => {
    // A book learnt from is forecast from all the others, as in training.
    if (learntBooks.has(book)) return learntForecasts[book]!;
    const known = forecasts.get(book) ?? readStory(model, table.books[book]!).forecast ?? model.centres.expected;
    forecasts.set(book, known);
    return known;
  };
  return design.shown.flatMap((shown) => {
    if (shown !== "stars") applyReviews(reviewFit, table, rows, shown);
    const pasts = pastReader(
      table,
      model.likeness,
      reviewFit,
      forecast,
      (book) =>
        design.averages === true || (earlier?.averages === true && (earlier.others === true || learntBooks.has(book))),
    );
    const seen = (past: EarlierReview) => (shown === "stars" ? starsAlone(model, past) : past);
    return pairs.flatMap((pair) => {
      const others = (keptBy.get(pair.reader) ?? []).filter((row) => row !== pair.query && !pair.history.includes(row));
      const before = [...others, ...(learntBy.get(pair.reader) ?? [])].slice(0, LONGEST_HISTORY - longest);
      if (earlier && longest + before.length < earlier.fewestKnown) return [];
      const whole = pasts({ ...pair, history: [...pair.history, ...before] }).map(seen);
      const [history, known] = [whole.slice(0, longest), whole.slice(longest)];
      const restsOn = { model, history: whole, books: [...pair.history, ...before].map((row) => table.book[row]!) };
      return design.lengths.map((length) => ({
        ...heldOut(table, model, pair, history.slice(0, length), known, forecast, shown),
        ...(earlier?.others && { restsOn }),
      }));
    });
  });
}

function heldOut(
  table: ReviewTable,
  model: PersonalModel,
  pair: SampledPair,
  asked: readonly EarlierReview[],
  known: readonly EarlierReview[],
  forecast: (book: number) => number,
  shown: Shown,
): HeldOutPair {
  const history = [...asked, ...known];
  const book = table.book[pair.query]!;
  const { centres, shrinkage, heads } = model;
  const predicted = applyHead(heads.forecast, history, forecast(book), centres, shrinkage);
  const average = table.books[book]!.average_rating;
  const predictedWithAverage = applyHead(heads.average, history, average, centres, shrinkage);
  const chancesOf = ({ spread }: Head, rating: number) => starChances(spread.stars, circumstances(rating, history));
  const intervalOf = (head: Head, rating: number) =>
    intervalFrom(chancesOf(head, rating), reachFor(head.spread.groups, rating, history));
  return {
    reader: pair.reader,
    query: pair.query,
    book,
    length: asked.length,
    shown,
    rating: table.rating[pair.query]!,
    meanOfHistory: meanOfHistory(asked.map((past) => past.rating)) ?? centres.rating,
    meanOfAll: meanOfHistory(history.map((past) => past.rating)) ?? centres.rating,
    known: history.length,
    biasPlusForecast: biasPlusForecast(forecast(book), history, shrinkage),
    biasPlusAverage: biasPlusForecast(average, history, shrinkage),
    predicted,
    predictedWithAverage,
    interval: intervalOf(heads.forecast, predicted),
    intervalWithAverage: intervalOf(heads.average, predictedWithAverage),
    chances: chancesOf(heads.forecast, predicted),
    level: levelOf(history),
  };
}

function starsAlone({ fromStars }: PersonalModel, past: EarlierReview): EarlierReview {
  return {
    ...past,
    generosity: fromStars.generosity[0] + fromStars.generosity[1] * past.rating,
    sentiment: fromStars.sentiment[0] + fromStars.sentiment[1] * past.rating,
  };
}

function foldsOf(items: number, folds: number, random: Random): Uint32Array {
  const fold = new Uint32Array(items);
  shuffled([...fold.keys()], random).forEach((item, position) => {
    fold[item] = position % folds;
  });
  return fold;
}
