import { windowBorders } from "../windows.ts";

/** Words in the windows that each chapter is cut into for training; the whole chapter is one more. */
export const WINDOW_SIZES = [200, 400, 700] as const;
/** Stands for the whole chapter. */
const WHOLE = Number.POSITIVE_INFINITY;

export interface TrainingWindow {
  readonly chapter: number;
  readonly size: number;
  /** Sentences from `from` up to `to`. */
  readonly from: number;
  readonly to: number;
}

/**
 * The whole of every chapter and one window of each size, taken from a different place in each chapter. A chapter too
 * short to be cut at a size gives none of that size.
 */
export function trainingWindows(wordsBySentence: readonly Uint32Array[]): TrainingWindow[] {
  return wordsBySentence.flatMap((words, chapter) => {
    const cuts = WINDOW_SIZES.flatMap((size, step): TrainingWindow[] => {
      const borders = windowBorders(words, size);
      if (borders.length === 2) return [];
      const window = (chapter * 7 + step) % (borders.length - 1);
      return [{ chapter, size, from: borders[window]!, to: borders[window + 1]! }];
    });
    return [...cuts, { chapter, size: WHOLE, from: 0, to: words.length }];
  });
}
