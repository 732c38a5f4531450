import type { ChapterFinding, FrameKind, Removal } from "../book.ts";

/** A chapter before it is numbered and counted. */
export interface RawChapter {
  readonly title: string | null;
  readonly part: string | null;
  readonly text: string;
  readonly includes?: readonly string[];
  /** Where the file says so; else its title may. */
  readonly kind?: FrameKind;
}

/** A title page of a part that is numbered along with the chapters. */
export interface RawPartPage {
  readonly title: string;
  readonly part: string | null;
  /** How many chapters stand before it. */
  readonly chaptersBefore: number;
}

export interface Split {
  readonly chapters: readonly RawChapter[];
  readonly parts?: readonly RawPartPage[];
  readonly removed: readonly Removal[];
  readonly finding: ChapterFinding;
}
