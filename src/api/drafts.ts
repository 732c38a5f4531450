import type { Finding } from "../core/finding.ts";
import type { Verdict } from "../core/verdict.ts";
import type { DraftChanges } from "../judge/drafts/change-schema.ts";
import type { BookSummary } from "./books.ts";

export type { FigureChange } from "../judge/drafts/change-schema.ts";
export type { TextChange, WordRun } from "../text/text-changes.ts";

/** GET /api/drafts?before=BOOK&after=BOOK → what changed between two drafts, all scores on their own scales. */
export interface DraftComparison {
  readonly before: BookSummary;
  readonly after: BookSummary;
  readonly changes: DraftChanges;
}

/** A paragraph as the writer rewrote it; offsets point into the chapter of the book it stands in. */
export interface Revision {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** POST /api/books/:id/drafts with a RevisionRequest → BookDetails of the new draft. The book and its file stay as they are. */
export interface RevisionRequest {
  readonly revisions: readonly Revision[];
}

/**
 * POST /api/books/:id/paragraph with a Revision → ParagraphReading, quickly enough to follow a writer who types.
 * Nothing is kept.
 */
export interface ParagraphReading {
  /** Offsets into the revised paragraph. Empty with a reason where the notes cannot read it. */
  readonly notes: readonly {
    readonly start: number;
    readonly end: number;
    readonly change: number;
    readonly why: string | null;
  }[];
  readonly unscored: string | null;
  /** Counts of the manuscript map in this paragraph; null where there is nothing to count. */
  readonly figures: readonly { readonly id: ParagraphFigure; readonly value: number | null }[];
  /** The jurors on this paragraph with as many neighbours as a juror needs to say anything. */
  readonly jurors: readonly {
    readonly id: string;
    readonly scale: { readonly minimum: number; readonly maximum: number };
    readonly verdict: Verdict;
  }[];
  /** Words of the passage the jurors read. */
  readonly passageWords: number;
}

/**
 * POST /api/books/:id/chapters/:chapter/recheck with a RevisionRequest: everything that was rewritten and is not saved →
 * ChapterRecheck. Nothing is kept.
 */
export interface ChapterRecheck {
  readonly chapter: number;
  readonly words: { readonly before: number; readonly now: number };
  /** Sentences of the chapter that an editor would probably change; null where the notes cannot read it. */
  readonly likelyNotes: { readonly before: number; readonly now: number } | null;
  /** What is found by counting in the whole book as it would be now, as far as it touches this chapter. */
  readonly fixed: readonly Finding[];
  readonly still: readonly Finding[];
  readonly new: readonly Finding[];
}

export type ParagraphFigure =
  | "words"
  | "sentence-words"
  | "dialogue-share"
  | "reading-ease"
  | "filter-words"
  | "weak-openings"
  | "cliches"
  | "model-phrases"
  | "echoes"
  | "stacked-similes";
