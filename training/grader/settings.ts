import type { Lesson } from "./chapter-rows.ts";

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
