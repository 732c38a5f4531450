/** What is rated: a text (a book, a chapter, a passage), an answer to a question, or one of two texts. */
export interface RatedItem {
  readonly id: string;
  readonly title: string | null;
  readonly question: string | null;
  /** Null for a book or a chapter of the library, which is loaded when it is shown. */
  readonly text: string | null;
  /** The second text of a pair; null if a single text is rated, and for a pair of books of the library. */
  readonly second: string | null;
}

/** GET /api/ratings/:id/text?item=&rater= → ItemText: the book, the chapter or the two books of an item, in the rater's order. */
export interface ItemText {
  readonly parts: readonly { readonly title: string | null; readonly text: string }[];
  readonly second: readonly { readonly title: string | null; readonly text: string }[] | null;
}

/** What can be rated from the library: whole books, chapters, pairs of books, or the answers of a run of questions. */
export const RATED_KINDS = ["books", "chapters", "pairs", "answers"] as const;
export type RatedKind = (typeof RATED_KINDS)[number];

/** GET /api/ratings/library?kind=&run=&search= → RatingChoices: what of the library can be rated, to choose from. */
export interface RatingChoices {
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  /** The total number of this kind that match; only the first are listed. */
  readonly total: number;
}

/** POST /api/ratings/library → RatingSummary. */
export interface LibraryStudyRequest {
  readonly kind: RatedKind;
  readonly name: string;
  /** Ids of books; all if empty. */
  readonly books: readonly string[];
  /** For answers: the run of questions. */
  readonly run: string | null;
  /** Ids of the items, as in the choices; all if empty. */
  readonly items: readonly string[];
  /** The most items, drawn at random; null for all. */
  readonly most: number | null;
  readonly raters: readonly string[];
  readonly perItem: number | null;
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * One person's answer: a score (for a pair 1 for the first, 0.5 for a tie, 0 for the second), or that they cannot
 * judge.
 */
export type RatingSaid = number | "cannot judge";

/** GET /api/ratings → RatingSummary[]. POST /api/ratings (a form: a table, raters, perItem, minimum, maximum) → RatingSummary. */
export interface RatingSummary {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  readonly isOfPairs: boolean;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly raters: readonly string[];
  readonly createdAt: string;
}

/** GET /api/ratings/:id → RatingStudy: how far each rater is, and how well they agree so far. */
export interface RatingStudy extends RatingSummary {
  readonly progress: readonly {
    readonly rater: string;
    readonly assigned: number;
    readonly done: number;
    /**
     * The token of a link with which this rater can rate and do nothing else: `/?token=…`. Null for everybody except
     * the owner.
     */
    readonly token: string | null;
  }[];
  /** Whether the requester is a rater, who sees neither the others nor what is disputed. */
  readonly isRater: boolean;
  /** Krippendorff's α of scores; null if it does not exist yet. */
  readonly alpha: number | null;
  /** Items scored by two or more raters. */
  readonly shared: number;
  /** Items whose scores differ by more than a quarter of the scale, largest difference first. */
  readonly disputes: readonly {
    readonly item: RatedItem;
    readonly scores: readonly { readonly rater: string; readonly score: number }[];
    readonly decided: number | null;
  }[];
}

/** GET /api/ratings/:id/queue?rater= → RatingQueue: the items of one rater, in an order of their own. */
export interface RatingQueue {
  readonly items: readonly RatedItem[];
  readonly said: Readonly<Record<string, RatingSaid>>;
  /** Judges' scores, but only of items that this rater has already answered. */
  readonly judges: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** PUT /api/ratings/:id/links: replaces this rater's link; the old one stops working. */
export interface LinkRevoked {
  readonly rater: string;
}

/** PUT /api/ratings/:id/ratings → the judges' scores of that item. Null removes the rating. */
export interface RatingSent {
  readonly rater: string;
  readonly item: string;
  readonly said: RatingSaid | null;
}

/** GET /api/ratings/:id/trust → TrustAnswer: what `fabula trust` says of the ratings so far. PUT /api/ratings/:id/decisions: the score that stands where raters dispute; null takes it back. */
export interface DecisionSent {
  readonly item: string;
  readonly score: number | null;
}
