/** What is rated: a text (a book, a chapter, a passage), an answer to a question, or one of two texts. */
export interface RatedItem {
  readonly id: string;
  readonly title: string | null;
  readonly question: string | null;
  readonly text: string;
  /** The second text of a pair; null where one thing is rated. */
  readonly second: string | null;
}

/** What one person said: a score (of a pair 1 for the first, 0.5 for a tie, 0 for the second), or that they cannot judge. */
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
  readonly progress: readonly { readonly rater: string; readonly assigned: number; readonly done: number }[];
  /** Krippendorff's α of scores; null where it does not exist yet. */
  readonly alpha: number | null;
  /** Items that two or more have scored. */
  readonly shared: number;
  /** Where scores lie more than a quarter of the scale apart, the widest first. */
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
  /** What judges gave, of items that this rater has answered: never before. */
  readonly judges: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** PUT /api/ratings/:id/ratings → the judges' scores of that item. Null takes the rating back. */
export interface RatingSent {
  readonly rater: string;
  readonly item: string;
  readonly said: RatingSaid | null;
}

/** PUT /api/ratings/:id/decisions: the score that stands where raters dispute; null takes it back. */
export interface DecisionSent {
  readonly item: string;
  readonly score: number | null;
}
