/** Stands where no author is stated: books that share it need not share an author. */
export const UNKNOWN_WRITER = "unknown";
/** The human original among the contestants of duels. */
export const HUMAN = "human original";

/** One chapter's scores, in the order of the population's dimensions; null where the judge gave none. */
export interface ScoredChapter {
  /** The novel (or generated story) the chapter belongs to. */
  readonly novel: string;
  /** Who wrote it: an author, or a model. */
  readonly writer: string;
  readonly chapter: number;
  /** `chapter` is only a place in a list: the scores came without a number, or are those of a whole novel. */
  readonly isUnnumbered?: true;
  readonly words: number | null;
  readonly scores: readonly (number | null)[];
  /** Where a panel judged, each judge's own scores of its own dimensions: `scores` are the judges' composites. */
  readonly seatScores?: readonly (readonly (number | null)[] | null)[];
}
