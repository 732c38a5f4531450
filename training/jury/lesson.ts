/** Who gave a text its rating: each source is standardised by itself and counts as much as any other. */
export type Source =
  | "prompt-stories"
  | "scary-stories"
  | "machine-stories"
  | "reader-pairs"
  | "graded-chapters"
  | "expert-scores"
  | "expert-pairs";

/** One text to learn from, with what a person (or the grader) made of it. */
export interface Lesson {
  readonly text: string;
  readonly source: Source;
  /** In the source's own units; for a member of a pair 1 (preferred) or 0. */
  readonly target: number;
  /** Texts that must never stand on both sides of a split share one: a prompt, a premise, a paragraph with its edits. */
  readonly family: string;
  /** A second such name, where two count: the writer of a chapter beside its story. */
  readonly writer?: string;
  /** Who wrote it, where a source of several writers tells: left out in a measure of its own, as cells of two would be too few. */
  readonly author?: string;
  /** The pair this text belongs to. Only the difference within a pair is learnt from. */
  readonly pair?: number;
}
