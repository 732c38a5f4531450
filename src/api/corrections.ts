import type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";

/**
 * GET /api/books/:id/corrections → BookCorrections. PUT `{ corrections }` to the same address → 204.
 * Corrections name chapters by their numbers among `found`, and replace those kept before.
 */
export interface BookCorrections {
  readonly found: readonly FoundChapter[];
  readonly corrections: ChapterCorrections;
  /** The ways to divide the file into chapters; `{ strategy: by }` among the corrections selects one. */
  readonly strategies: readonly ChapterStrategy[];
}

export interface ChapterStrategy {
  readonly by: string;
  readonly chapters: number;
  /** Whether the listed chapters come from this strategy. */
  readonly isUsed: boolean;
}

export interface FoundChapter {
  readonly index: number;
  readonly title: string | null;
  readonly words: number;
}

export type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";
