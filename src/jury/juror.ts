import { FabulaError } from "../core/errors.ts";
import type { Verdict } from "../core/verdict.ts";
import type { PreparedText } from "./prepare-text.ts";

export const JUROR_IDS = ["crowd", "editor", "grader"] as const;
export type JurorId = (typeof JUROR_IDS)[number];

/**
 * Where a text stands beside what a juror learnt from. `outside`: the score is given with a caveat and a wider range, and
 * has no percentile. `far outside`: there is no score.
 */
export type Domain = "inside" | "outside" | "far outside";

/** What one juror says of a text. */
export interface Opinion {
  readonly juror: JurorId;
  /** On the juror's scale, with a range that holds its own error for a text of this length. */
  readonly overall: Verdict;
  /** The grader's criteria by id; the other jurors have none. */
  readonly criteria: Readonly<Record<string, Verdict>>;
  readonly domain: Domain;
  /** What must stand beside the score, such as "outside what this juror learnt from"; null when there is nothing to add. */
  readonly caveat: string | null;
  /** Words of prose that were read. */
  readonly words: number;
  /** The overall score of each chapter by itself; null for one too short to have one. Empty when nothing was scored. */
  readonly chapters: readonly (number | null)[];
}

/** Each sentence's part in a juror's score, in points of its scale. Intercept and shares add up to the score. */
export interface Shares {
  readonly intercept: number;
  readonly sentences: Float64Array;
}

/** One of the judges that ship inside: a sum over sentences, without a key and without a network. */
export interface Juror {
  readonly id: JurorId;
  /** Who is speaking: stands beside every score. */
  readonly speaker: string;
  /** Changes whenever the weights do. */
  readonly version: string;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly minimumWords: number;
  /** The texts of a book's chapters, or one text. */
  judge(chapters: readonly PreparedText[]): Opinion;
  /** A text taken apart by sentence; null when it is not scored. */
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

/** All three jurors side by side: what judges when no judge is named. */
export const JURY = "jury";

/** Whether a name is that of a juror or of the whole jury. */
export function isOfTheJury(name: string): boolean {
  return name === JURY || isJurorName(name);
}

/** The jurors a name calls for, the one whose score is the headline first. */
export function jurorsFor(name: string): readonly JurorId[] {
  return name === JURY ? JUROR_IDS : [jurorNamed(name)];
}
