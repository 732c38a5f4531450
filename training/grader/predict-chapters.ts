import { groupBy } from "../../src/core/group-by.ts";
import { FIRST_NGRAM_COLUMN, WindowFeatures } from "../../src/jury/window-features.ts";
import { predictRidge, type RidgeModel } from "../../src/stats/linear/ridge-regression.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";
import type { Corpus } from "./corpus.ts";
import { type FeatureSpace, featureSpace } from "./feature-space.ts";
import { fitOutputs } from "./fit.ts";
import type { Cell } from "./folds.ts";
import { type ChapterRow, lessonRows, PIECE_SIZES, pieceRows, type TrainingSettings, wholeRow } from "./settings.ts";

/** The features of rows: of each the mean over its windows, by their words. */
export function featureRows(space: FeatureSpace, rows: readonly ChapterRow[]): SparseRows {
  const columns = FIRST_NGRAM_COLUMN + space.ngramHashes.length;
  const features = new WindowFeatures(space.scales);
  const sums = new Float64Array(columns);
  const touched = new Uint32Array(columns);
  const offsets = new Uint32Array(rows.length + 1);
  let indices = new Uint32Array(rows.length * 800);
  let values = new Float32Array(rows.length * 800);
  let cursor = 0;
  rows.forEach(({ chapter, windows }, row) => {
    const reading = space.read(chapter);
    let count = 0;
    let words = 0;
    for (const { from, to } of windows) {
      features.read(reading, from, to);
      words += features.words;
      for (let i = 0; i < features.presentCount; i++) {
        const column = features.present[i]!;
        if (sums[column] === 0) touched[count++] = column;
        sums[column] = sums[column]! + features.words * features.values[i]!;
      }
    }
    if (cursor + count > indices.length) {
      indices = enlarged(indices, new Uint32Array(indices.length * 1.5 + count));
      values = enlarged(values, new Float32Array(values.length * 1.5 + count));
    }
    for (let i = 0; i < count; i++) {
      const column = touched[i]!;
      indices[cursor] = column;
      values[cursor] = sums[column]! / words;
      sums[column] = 0;
      cursor++;
    }
    offsets[row + 1] = cursor;
  });
  return {
    rows: rows.length,
    columns,
    offsets,
    indices: indices.subarray(0, cursor),
    values: values.subarray(0, cursor),
  };
}

function enlarged<A extends Uint32Array | Float32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

/** Predictions of chapters a judge never saw, as a whole text and from pieces of it. */
export interface HeldOutPredictions {
  readonly outputs: readonly number[];
  /** Whole chapters, judged as the shipped judge would, by their windows. */
  readonly whole: Piece[];
  /** Single windows of about so many words. */
  readonly pieces: ReadonlyMap<number, Piece[]>;
}

export interface Piece {
  readonly chapter: number;
  readonly predictions: Float64Array;
}

type OnCell = (done: number, total: number) => void;

/** Trains on each cell's training chapters and predicts its test chapters. */
export function predictHeldOut(
  corpus: Corpus,
  cells: readonly Cell[],
  settings: TrainingSettings,
  outputs: readonly number[],
  onCell?: OnCell,
): HeldOutPredictions {
  return predictHeldOutByEach(corpus, cells, [settings], outputs, onCell)[0]!;
}

/** The same for several settings, in their order; what they share (words counted, features read) is done once. */
export function predictHeldOutByEach(
  corpus: Corpus,
  cells: readonly Cell[],
  choices: readonly TrainingSettings[],
  outputs: readonly number[],
  onCell?: OnCell,
): HeldOutPredictions[] {
  const held = new Map(choices.map((choice) => [choice, nothingYet(outputs)]));
  cells.forEach(({ training, test }, done) => {
    for (const alike of alikeIn(choices, ({ familyShare, storyShare }) => [familyShare, storyShare])) {
      const space = featureSpace(corpus, training, alike[0]!);
      for (const taughtAlike of alikeIn(alike, ({ lesson, window }) => [lesson, window])) {
        const { lesson, window } = taughtAlike[0]!;
        const rows = lessonRows(corpus, training, lesson, window);
        const matrix = featureRows(space, rows);
        const tests = testsOf(corpus, space, test, window);
        for (const choice of taughtAlike) {
          addPredictions(held.get(choice)!, tests, fitOutputs(corpus, rows, matrix, outputs, choice));
        }
      }
    }
    onCell?.(done + 1, cells.length);
  });
  return [...held.values()];
}

interface Tests {
  readonly whole: Judgeable;
  readonly pieces: ReadonlyMap<number, Judgeable>;
}

interface Judgeable {
  readonly rows: readonly ChapterRow[];
  readonly matrix: SparseRows;
}

function testsOf(corpus: Corpus, space: FeatureSpace, test: readonly number[], window: number): Tests {
  const judgeable = (rows: readonly ChapterRow[]): Judgeable => ({ rows, matrix: featureRows(space, rows) });
  return {
    whole: judgeable(test.map((chapter) => wholeRow(corpus, chapter, window))),
    pieces: new Map(PIECE_SIZES.map((size) => [size, judgeable(pieceRows(corpus, test, size))])),
  };
}

function addPredictions(held: HeldOutPredictions, tests: Tests, model: RidgeModel): void {
  const predicted = ({ rows, matrix }: Judgeable): Piece[] => {
    const scores = predictRidge(model, matrix);
    return rows.map(({ chapter }, row) => ({
      chapter,
      predictions: scores.slice(row * model.outputs, (row + 1) * model.outputs),
    }));
  };
  held.whole.push(...predicted(tests.whole));
  for (const [size, pieces] of tests.pieces) held.pieces.get(size)!.push(...predicted(pieces));
}

function nothingYet(outputs: readonly number[]): HeldOutPredictions {
  return { outputs, whole: [], pieces: new Map(PIECE_SIZES.map((size) => [size, []])) };
}

function alikeIn(choices: readonly TrainingSettings[], traits: (choice: TrainingSettings) => readonly unknown[]) {
  return groupBy(choices, (choice) => traits(choice).join()).values();
}
