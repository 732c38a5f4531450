import { windowBorders } from "../../src/jury/window-features.ts";
import type { Corpus } from "./corpus.ts";

/** A run of sentences, from `from` up to `to`. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** One row of the regression: a chapter as the mean, by words, of some of its windows. */
export interface ChapterRow {
  readonly chapter: number;
  readonly windows: readonly Window[];
  /** How much the row counts in training. */
  readonly weight: number;
}

/**
 * What the judge is shown of each chapter.
 * - `judged`: the mean of its windows, exactly what the judge sees of a text it is given;
 * - `lengths`: that, and for less weight the mean of short windows, so that length is learnt too.
 */
export type Lesson = "judged" | "lengths";

/** Words in single pieces of a chapter. */
export const PIECE_SIZES = [200, 400, 700] as const;
const SHORT_WINDOW = 200;
const SHORT_WINDOWS_WEIGHT = 0.25;

export function lessonRows(corpus: Corpus, chapters: readonly number[], lesson: Lesson, window: number): ChapterRow[] {
  const rowsOf = (chapter: number): ChapterRow[] => {
    switch (lesson) {
      case "judged":
        return [wholeRow(corpus, chapter, window)];
      case "lengths":
        return [wholeRow(corpus, chapter, window), wholeRow(corpus, chapter, SHORT_WINDOW, SHORT_WINDOWS_WEIGHT)];
      default:
        return lesson satisfies never;
    }
  };
  return chapters.flatMap(rowsOf);
}

/** A whole chapter, read in windows of about so many words. */
export function wholeRow({ prose }: Corpus, chapter: number, window: number, weight = 1): ChapterRow {
  const borders = windowBorders(prose[chapter]!.words, window);
  const windows = Array.from({ length: borders.length - 1 }, (_, at) => ({ from: borders[at]!, to: borders[at + 1]! }));
  return { chapter, windows, weight };
}

/** One window of each chapter, from a different place in each. A chapter too short to be cut at this size gives none. */
export function pieceRows(corpus: Corpus, chapters: readonly number[], size: number): ChapterRow[] {
  return chapters.flatMap((chapter) => {
    const { windows, weight } = wholeRow(corpus, chapter, size);
    const chosen = windows[(chapter * 7) % windows.length]!;
    return windows.length === 1 ? [] : [{ chapter, windows: [chosen], weight }];
  });
}

/** What can be chosen about the judge; the shipped choice was made by cross-validation (`npm run train -- grader --select`). */
export interface TrainingSettings {
  /** An n-gram is kept when it occurs with at least this share of the families of writers… */
  readonly familyShare: number;
  /** …and in at least this share of the stories. */
  readonly storyShare: number;
  readonly lesson: Lesson;
  /** How freely n-grams are used against style: their penalty is divided by its square, and 0 leaves them out. */
  readonly ngramScale: number;
  /** The same for the style features. */
  readonly styleScale: number;
  readonly penalty: number;
  /** How much what tells writers apart counts beside what tells one writer's chapters apart; 1 is plain regression. */
  readonly writerWeight: number;
  /** Words in a window when a text is judged. */
  readonly window: number;
}

export const SHIPPED_SETTINGS: TrainingSettings = {
  familyShare: 0.4,
  storyShare: 2 / 3,
  lesson: "judged",
  ngramScale: 1,
  styleScale: 1,
  penalty: 1.5,
  writerWeight: 0.5,
  window: 600,
};
