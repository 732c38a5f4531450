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

/** A paragraph rewritten by the writer; offsets point into the chapter of the original book. */
export interface Revision {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * POST /api/books/:id/drafts with a RevisionRequest → BookDetails of the new draft. The book and its file are not
 * changed.
 */
export interface RevisionRequest {
  readonly revisions: readonly Revision[];
}

/**
 * POST /api/books/:id/paragraph with a Revision → ParagraphReading, fast enough to follow a writer's typing. Nothing
 * is stored.
 */
export interface ParagraphReading {
  /** Offsets into the revised paragraph; empty with a reason if notes are not possible. */
  readonly notes: readonly {
    readonly start: number;
    readonly end: number;
    readonly change: number;
    readonly why: string | null;
  }[];
  readonly unscored: string | null;
  /** The manuscript map's figures for this paragraph; null if there is nothing to count. */
  readonly figures: readonly { readonly id: ParagraphFigure; readonly value: number | null }[];
  /** The jurors' scores of this paragraph with as many neighbours as a juror needs. */
  readonly jurors: readonly {
    readonly id: string;
    readonly scale: { readonly minimum: number; readonly maximum: number };
    readonly verdict: Verdict;
  }[];
  /** How many words the jurors read. */
  readonly passageWords: number;
}

/**
 * POST /api/books/:id/chapters/:chapter/recheck with a RevisionRequest of all rewrites that are not saved →
 * ChapterRecheck. Nothing is stored.
 */
export interface ChapterRecheck {
  readonly chapter: number;
  readonly words: { readonly before: number; readonly now: number };
  /** How many sentences of the chapter an editor would probably change; null if notes are not possible. */
  readonly likelyNotes: { readonly before: number; readonly now: number } | null;
  /** Findings by rules in the whole revised book that concern this chapter. */
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
