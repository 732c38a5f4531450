import type { Removal } from "../book.ts";

/** A chapter before it is numbered and counted. */
export interface RawChapter {
  readonly title: string | null;
  readonly part: string | null;
  readonly text: string;
}

export interface Split {
  readonly chapters: readonly RawChapter[];
  readonly removed: readonly Removal[];
  readonly warnings: readonly string[];
}
