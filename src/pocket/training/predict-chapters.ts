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
  /** `whole[chapter * outputs + slot]`: the chapter judged as the shipped judge would, by its windows. */
  readonly whole: Float64Array;
  /** Single pieces of about so many words. */
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
  const whole = new Float64Array(corpus.chapters.length * outputs.length).fill(Number.NaN);
  const pieces = new Map<number, Piece[]>(WINDOW_SIZES.map((size): [number, Piece[]] => [size, []]));
  cells.forEach((cell, done) => {
    const training = new Set(cell.training);
    const space = featureSpace(corpus, cell.training, settings);
    const windows = corpus.windows.filter(({ chapter }) => training.has(chapter));
    const model = fitOutputs(corpus, windows, windowRows(space, windows), outputs, settings.penalty);

    const test = new Set(cell.test);
    const judged = cell.test.flatMap((chapter) => judgingWindows(corpus, chapter, settings.window));
    const scores = predictRidge(model, windowRows(space, judged));
    judged.forEach(({ chapter, from, to }, row) => {
      const { words, wordCount } = corpus.prose[chapter]!;
      const share = words.subarray(from, to).reduce((sum, count) => sum + count, 0) / wordCount;
      for (let slot = 0; slot < outputs.length; slot++) {
        const at = chapter * outputs.length + slot;
        const before = Number.isNaN(whole[at]) ? 0 : whole[at]!;
        whole[at] = before + share * scores[row * outputs.length + slot]!;
      }
    });

    const short = corpus.windows.filter(({ chapter, size }) => test.has(chapter) && pieces.has(size));
    const shortScores = predictRidge(model, windowRows(space, short));
    short.forEach(({ chapter, size }, row) => {
      const predictions = shortScores.slice(row * outputs.length, (row + 1) * outputs.length);
      pieces.get(size)!.push({ chapter, predictions });
    });
    onCell?.(done + 1, cells.length);
  });
  return { outputs, whole, pieces };
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
