import { FabulaError } from "../core/errors.ts";
import type { Verdict } from "../core/verdict.ts";
import type { PreparedText } from "./prepare-text.ts";

export const JUROR_IDS = ["crowd", "editor", "grader"] as const;
export type JurorId = (typeof JUROR_IDS)[number];

/**
 * How a text compares with a juror's training data. `outside`: the score is given with a caveat and a wider range,
 * and has no percentile. `far outside`: there is no score.
 */
export type Domain = "inside" | "outside" | "far outside";

/** One juror's verdict on a text. */
export interface Opinion {
  readonly juror: JurorId;
  /** On the juror's scale, with a range that includes its own error for a text of this length. */
  readonly overall: Verdict;
  /** The grader's criteria by id; the other jurors have none. */
  readonly criteria: Readonly<Record<string, Verdict>>;
  readonly domain: Domain;
  /**
   * What must be said beside the score, such as that the text is unlike the training data; null if there is nothing
   * to add.
   */
  readonly caveat: string | null;
  /** Words of prose that were read. */
  readonly words: number;
  /** The overall score of each chapter alone; null for one that is too short. Empty if nothing was scored. */
  readonly chapters: readonly (number | null)[];
}

/** Each sentence's part in a juror's score, in points of its scale. Intercept and shares add up to the score. */
export interface Shares {
  readonly intercept: number;
  readonly sentences: Float64Array;
}

/** An embedded judge: a sum over sentences, without a key and without a network. */
export interface Juror {
  readonly id: JurorId;
  /** Whose opinion this is, shown beside every score. */
  readonly speaker: string;
  /** Changes whenever the weights do. */
  readonly version: string;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly minimumWords: number;
  /** The texts of a book's chapters, or one text. */
  judge(chapters: readonly PreparedText[]): Opinion;
  /** A text broken down by sentence; null if it is not scored. */
  explain(text: PreparedText): Shares | null;
}

export function isJurorName(name: string): boolean {
  return JUROR_IDS.some((known) => known === name);
}

export function jurorNamed(name: string): JurorId {
  const id = JUROR_IDS.find((known) => known === name);
  if (id === undefined) {
    throw new FabulaError("E_JUDGE_UNKNOWN", `"${name}" is not an embedded judge: choose crowd, editor or grader.`);
  }
  return id;
}

/** All three jurors side by side, used if no judge is named. */
export const JURY = "jury";

/** Whether a name is that of a juror or of the whole jury. */
export function isOfTheJury(name: string): boolean {
  return name === JURY || isJurorName(name);
}

/** The jurors that a name stands for, the headline juror first. */
export function jurorsFor(name: string): readonly JurorId[] {
  return name === JURY ? JUROR_IDS : [jurorNamed(name)];
}
