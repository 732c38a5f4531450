/** A writer's decision on a note. */
export type NoteMark = "done" | "ignored";

/** One sentence that a professional editor would likely change; offsets point into the chapter's text. */
export interface NoteRow {
  readonly id: string;
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  /** The probability of a change, from 0 to 1. */
  readonly change: number;
  /** The likeliest kind of change; null if none stands out. */
  readonly why: string | null;
  readonly sentence: string;
  readonly mark: NoteMark | null;
}

/**
 * GET /api/books/:id/notes?all=1 → BookNotes: by default what a writer can use, with `all` every likely note.
 * GET /api/books/:id/notes/export → the manuscript as DOCX with the notes to do as comments.
 * PATCH /api/books/:id/notes/:note with a NoteMarkRequest → 204. What is said of a note is kept with the book and goes over to the next draft.
 */
export interface BookNotes {
  /** Why there are none; null when there are. */
  readonly unscored: string | null;
  /** How often editors changed sentences marked like these, and any sentence; null without notes. */
  readonly rates: { readonly shown: number; readonly any: number } | null;
  readonly sentences: number;
  /** How many sentences an editor would probably change, listed or not. */
  readonly likely: number;
  /** In the order of the book. */
  readonly notes: readonly NoteRow[];
}

export interface NoteMarkRequest {
  readonly mark: NoteMark | null;
}
