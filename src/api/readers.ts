import type { EvaluationPlan } from "./jobs.ts";

/** GET /api/readers → ReaderSummary[]. POST /api/readers (multipart: `name`, `file`, `scale`) → ReaderImport. DELETE /api/readers/:name. */
export interface ReaderSummary {
  readonly name: string;
  readonly language: string;
  readonly reviews: number;
  readonly meanRating: number | null;
}

export interface ReaderImport {
  readonly reader: ReaderSummary;
  readonly source: string;
  readonly imported: number;
  readonly without: number;
  readonly repeats: number;
}

export interface ReaderTaste {
  readonly kind: "genre" | "mood" | "pace" | "shelf" | "aspect";
  readonly name: string;
  readonly reviews: number;
  readonly difference: number;
  /** 95 %, jointly for all groups that were compared. */
  readonly interval: readonly [number, number];
  readonly evidence: readonly {
    readonly title: string;
    /** Null for a book that was abandoned and not rated. */
    readonly rating: number | null;
    /** Other readers' rating: the average if `isAverage`, otherwise a forecast, or null without one. */
    readonly others: number | null;
    readonly isAverage: boolean;
    readonly quote: string | null;
  }[];
}

/** GET /api/readers/:name → ReaderDetails. GET /api/readers/:name/export → JSONL. */
export interface ReaderDetails extends ReaderSummary {
  readonly generosity: number | null;
  /** Of how many ratings it is known, or forecast, what other readers give. */
  readonly compared: number;
  readonly genres: readonly { readonly genre: string; readonly count: number; readonly mean: number }[];
  /** What the reader rewards and punishes compared with others, in stars, with the reviews behind it. */
  readonly rewards: readonly ReaderTaste[];
  readonly punishes: readonly ReaderTaste[];
  /** How the reader's ratings moved, in stars relative to readers in general; null if there are no dates to show it. */
  readonly drift: {
    readonly since: string;
    readonly difference: number;
    /** 95 %. */
    readonly interval: readonly [number, number];
  } | null;
  /** How many more ratings would help; null if there are enough. */
  readonly thin: string | null;
  readonly latest: readonly {
    readonly title: string;
    readonly rating: number | null;
    readonly review: string | null;
  }[];
}

/** POST /api/readers/:name/outlines (JSON: `outlines`, one or two texts) → what the reader would think of them, and of two which one. */
export interface OutlineVerdicts {
  readonly verdicts: readonly Omit<PersonalVerdict, "bookId">[];
  readonly preference: {
    readonly preferred: "left" | "right" | "tie";
    /** The chance that the reader gives the first one more stars, the second one, or both the same number. */
    readonly chanceLeft: number;
    readonly chanceRight: number;
    readonly chanceEqual: number;
  } | null;
}

/** GET /api/readers/:name/shelf → the to-read shelf in order, and the books whose ratings would teach most about it. */
export interface ReaderShelf {
  readonly ranked: readonly {
    /** Shared by books that cannot be told apart. */
    readonly rank: number;
    readonly title: string;
    readonly rating: number;
    readonly interval: readonly [number, number];
    /** One sentence on what in the reader's history supports this; null if nothing clearly does. */
    readonly because: string | null;
  }[];
  readonly questions: readonly { readonly title: string; readonly settles: number; readonly near: readonly string[] }[];
}

/** GET /api/readers/:name/verdict?book=ID → the personal verdict beside the general one. */
export interface PersonalVerdict {
  readonly reader: string;
  readonly bookId: string;
  readonly title: string;
  readonly personal: {
    readonly rating: number;
    readonly interval: readonly [number, number];
    /** The probability of each number of stars, from one to five. */
    readonly distribution: readonly number[];
  } | null;
  readonly general: { readonly rating: number; readonly interval: readonly [number, number] | null } | null;
  /** Why there is none. */
  readonly unscored: string | null;
  readonly headline: string;
  readonly because: readonly { readonly text: string; readonly effect: number }[];
  readonly notes: readonly string[];
}

/**
 * POST /api/readers/:name/review (JSON: `judge`, and `book`, the id of a book of the library, or `outline`, a text) → the review that
 * a language model writes in the reader's place; with `isPlan` what that would cost, and nothing is sent.
 */
export interface ReviewRequest {
  readonly judge: string;
  readonly book?: string;
  readonly outline?: string;
  readonly maximumCost?: number | null;
  readonly isPlan?: boolean;
}

export interface ModelReview {
  readonly review: string | null;
  /** From 1 to 10. */
  readonly score: number | null;
  /** Why there is no score. */
  readonly unscored: string | null;
  /** The earlier reviews that the model was shown. */
  readonly shown: readonly string[];
  readonly cost: number | null;
}

export interface ReviewAnswer {
  readonly plan: EvaluationPlan | null;
  readonly review: ModelReview | null;
}
