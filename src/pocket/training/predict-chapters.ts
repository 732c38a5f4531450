import { predictRidge } from "../../stats/linear/ridge-regression.ts";
import { windowBorders } from "../windows.ts";
import type { Corpus } from "./corpus.ts";
import { featureSpace } from "./feature-space.ts";
import { fitOutputs, windowRows } from "./fit.ts";
import type { Cell } from "./folds.ts";
import type { TrainingSettings } from "./settings.ts";
import { type TrainingWindow, WINDOW_SIZES } from "./window-set.ts";

/** Predictions of chapters a judge never saw, as a whole text and from pieces of it. */
export interface HeldOutPredictions {
  readonly outputs: readonly number[];
  /** Whole chapters, judged as the shipped judge would, by their windows. */
  readonly whole: readonly Piece[];
  /** Single windows of about so many words. */
  readonly pieces: ReadonlyMap<number, readonly Piece[]>;
}

export interface Piece {
  readonly chapter: number;
  readonly predictions: Float64Array;
}

/** Trains on each cell's training chapters and predicts its test chapters. */
export function predictHeldOut(
  corpus: Corpus,
  cells: readonly Cell[],
  settings: TrainingSettings,
  outputs: readonly number[],
  onCell?: (done: number, total: number) => void,
): HeldOutPredictions {
  const whole: Piece[] = [];
  const pieces = new Map<number, Piece[]>(WINDOW_SIZES.map((size): [number, Piece[]] => [size, []]));
  cells.forEach((cell, done) => {
    const training = new Set(cell.training);
    const space = featureSpace(corpus, cell.training, settings);
    const windows = corpus.windows.filter(({ chapter }) => training.has(chapter));
    const model = fitOutputs(corpus, windows, windowRows(space, windows), outputs, settings.penalty);
    const predict = (judged: readonly TrainingWindow[]): Float64Array[] => {
      const scores = predictRidge(model, windowRows(space, judged));
      return judged.map((_, row) => scores.slice(row * outputs.length, (row + 1) * outputs.length));
    };

    const judged = cell.test.flatMap((chapter) => judgingWindows(corpus, chapter, settings.window));
    whole.push(...averaged(corpus, judged, predict(judged)));
    const test = new Set(cell.test);
    const short = corpus.windows.filter(({ chapter, size }) => test.has(chapter) && pieces.has(size));
    predict(short).forEach((predictions, row) => {
      const { chapter, size } = short[row]!;
      pieces.get(size)!.push({ chapter, predictions });
    });
    onCell?.(done + 1, cells.length);
  });
  return { outputs, whole, pieces };
}

/** The mean over each chapter's windows, by their words. */
function averaged(corpus: Corpus, windows: readonly TrainingWindow[], predictions: readonly Float64Array[]): Piece[] {
  const means = new Map<number, Float64Array>();
  windows.forEach(({ chapter, from, to }, row) => {
    const { words, wordCount } = corpus.prose[chapter]!;
    const share = words.subarray(from, to).reduce((sum, count) => sum + count, 0) / wordCount;
    const sums = means.get(chapter) ?? new Float64Array(predictions[row]!.length);
    predictions[row]!.forEach((prediction, slot) => {
      sums[slot] = sums[slot]! + share * prediction;
    });
    means.set(chapter, sums);
  });
  return [...means].map(([chapter, mean]) => ({ chapter, predictions: mean }));
}

/** The windows the shipped judge would cut the chapter into. */
function judgingWindows(corpus: Corpus, chapter: number, target: number): TrainingWindow[] {
  const borders = windowBorders(corpus.prose[chapter]!.words, target);
  return Array.from({ length: borders.length - 1 }, (_, window) => ({
    chapter,
    size: target,
    from: borders[window]!,
    to: borders[window + 1]!,
  }));
}
