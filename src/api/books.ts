import type { EvaluationSummary } from "./evaluations.ts";

/** GET /api/books?search=&after=&limit= → Paged<BookSummary> */
export interface BookSummary {
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly words: number;
  readonly chapters: number;
  readonly addedAt: string;
  /** The number of the draft, from 1. */
  readonly draft: number;
  readonly latest: (Pick<EvaluationSummary, "overall" | "judge" | "scale"> & { readonly evaluationId: string }) | null;
}

/**
 * GET /api/books/shelf?search=&after=&limit= → Paged<ShelfBook>: every book once, with its drafts; the book with the
 * newest draft comes first.
 */
export interface ShelfBook extends Pick<BookSummary, "id" | "title" | "author" | "words" | "addedAt"> {
  /** All its drafts, the first one first; the other fields describe the last draft. */
  readonly drafts: readonly DraftSummary[];
  /** How many findings of its letter are open; null if it has not been read. */
  readonly open: number | null;
}

/**
 * POST /api/books (multipart: `file`, or JSON `PastedBook`) → BookDetails.
 * GET /api/books/:id → BookDetails. PATCH /api/books/:id with `BookEdit` → BookDetails. DELETE /api/books/:id.
 */
export interface BookDetails extends BookSummary {
  readonly file: string;
  readonly format: string;
  readonly encoding: string;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly contents: readonly ChapterSummary[];
  readonly removed: readonly { readonly rule: string; readonly where: string; readonly text: string }[];
  readonly warnings: readonly string[];
  readonly evaluations: readonly EvaluationSummary[];
  /** All drafts of the book including this one, the first one first. */
  readonly drafts: readonly DraftSummary[];
  /** Another book of the library with the same title: this may be its next draft. */
  readonly sameTitle: string | null;
}

export interface DraftSummary {
  readonly id: string;
  readonly draft: number;
  readonly file: string;
  readonly words: number;
  readonly addedAt: string;
}

export interface ChapterSummary {
  readonly index: number;
  readonly title: string | null;
  readonly words: number;
  readonly part: string | null;
  /** The number of characters and paragraphs, which a virtualised list needs before the text is loaded. */
  readonly length: number;
  readonly paragraphs: number;
}

export interface PastedBook {
  readonly title: string;
  readonly text: string;
}

export interface BookEdit {
  readonly title?: string;
  readonly author?: string | null;
  readonly language?: string | null;
  readonly genres?: readonly string[];
  readonly premise?: string | null;
  /** The book of which this is the next draft; null for a new book. */
  readonly draftOf?: string | null;
}

/** POST /api/books/sample → BookDetails: a story that ships with Fabula, to try things on. */
export interface SampleRequest {
  readonly language: "en" | "zh";
}

/** GET /api/books/:id/chapters/:index → ChapterText. Evidence offsets point into `text`; paragraphs are split at blank lines. */
export interface ChapterText {
  readonly index: number;
  readonly title: string | null;
  readonly text: string;
}

/** GET /api/books/:id/chapters/:index/heat → how likely a professional editor changes each sentence. */
export interface ChapterHeat {
  readonly index: number;
  /** Why there are no sentences; null when there are. */
  readonly unscored: string | null;
  /** The share of sentences that editors changed in the training data. */
  readonly baseRate: number;
  readonly sentences: readonly {
    readonly start: number;
    readonly end: number;
    /** The probability of a change, from 0 to 1. */
    readonly change: number;
    readonly why: string | null;
  }[];
}

/** GET /api/books/:id/search?q= → where these words occur in the book, at most 200. */
export interface SearchHit {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}
