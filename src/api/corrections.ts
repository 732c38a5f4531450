import type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";

/**
 * GET /api/books/:id/corrections → BookCorrections. PUT `{ corrections }` to the same address → 204.
 * Corrections name chapters by their numbers among `found`, and replace those kept before.
 */
export interface BookCorrections {
  readonly found: readonly FoundChapter[];
  readonly corrections: ChapterCorrections;
}

export interface FoundChapter {
  readonly index: number;
  readonly title: string | null;
  readonly words: number;
}

export type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";
