import type { CharacterCorrections, StoryCorrections } from "./corrections/character-and-story.ts";

/** A piece that frames the story without a chapter number (a prologue, an epilogue); it is read and judged like a chapter. */
export type FrameKind = "prologue" | "epilogue";

/** One chapter of clean text. Paragraphs are separated by one blank line; offsets in evidence point into `text`. */
export interface Chapter {
  /**
   * 1-based place in the book's table of contents. A title page of a part that the file lists there has a number too, so
   * the numbers of such a book's chapters skip some; find a chapter by this number, never by its place in the array.
   */
  readonly index: number;
  readonly title: string | null;
  /** Absent for an ordinary chapter. A foreword of the story counts as a prologue, an afterword as an epilogue. */
  readonly kind?: FrameKind;
  readonly text: string;
  readonly words: number;
  /** The parts, books or volumes that contain this chapter, outermost first: "Part I · Book II". */
  readonly part?: string;
  /** Pieces without a number that are counted with this chapter, their text and headings in it: ["Prologue"]. */
  readonly includes?: readonly string[];
}

/** The title page of a part, book or division that the file lists among its chapters. It has no text to judge. */
export interface PartPage {
  /** Its place in the table of contents, counted together with the chapters. */
  readonly index: number;
  readonly title: string;
  /** The part or volume that contains it. */
  readonly part?: string;
}

/** Separates the parts in a path such as "Part I · Book II". */
export const PART_SEPARATOR = " · ";

/** Something in the file that is not narrative, with the rule that removed it. */
export interface Removal {
  readonly rule: string;
  readonly where: string;
  readonly text: string;
  /** How many words were removed; `text` may be only an excerpt. */
  readonly words?: number;
  /** No rule proves that this is not narrative: it should be checked, and a warning counts it. */
  readonly mayBeStory?: true;
}

/**
 * What the chapters of a book were recognised by, and how sure that is. `certain`: the book says that these are chapters. `likely`: they
 * count, or the file marks them as headings. `guess`: they only look like titles.
 */
export interface ChapterRecognition {
  readonly by: string;
  readonly certainty: "certain" | "likely" | "guess";
}

/** One way to recognise the chapters, with its evidence from the whole book. Shown by `fabula read --why`. */
export interface ConsideredStrategy extends ChapterRecognition {
  /** How many chapters the book would have, including prologues and the like; null if the strategy found none. */
  readonly chapters: number | null;
  /** The share of the words at or after the first of them; if the file declares its chapters, the share inside them. */
  readonly coverage?: number;
  /** The share of their headings whose numbers are consecutive; null if they have no numbers. */
  readonly counting?: number | null;
  /** The share of their headings that the file's navigation lists; absent if it lists too few places. */
  readonly inNavigation?: number;
  /** The share of these chapters within which headings announce further chapters; absent if none does. */
  readonly unexplained?: number;
  /** The highest wins. */
  readonly score?: number;
}

/** One line of a table of contents. */
export interface ContentsEntry {
  readonly title: string;
  /** The number the table gives it, on the same line or on the one above. */
  readonly number: number | null;
  /** Several lines joined, which may be one title or several. */
  readonly isJoined?: true;
}

/** How the chapters were found, and what else the file says about them. */
export interface ChapterFinding {
  /** What the chapters were recognised by; absent if none were found. */
  readonly recognised?: ChapterRecognition;
  /** Every strategy that was tried. */
  readonly considered?: readonly ConsideredStrategy[];
  /** Places inside chapters that the file's navigation names. */
  readonly unheededPlaces?: readonly string[];
  /** Headings inside the chapters that the file declares; they say that further chapters begin. */
  readonly unheededHeadings?: readonly string[];
  /** The entries of its table of contents. */
  readonly contents?: readonly ContentsEntry[];
  /** Titles after the last numbered chapter that may be inside it. */
  readonly doubtfulTitles?: readonly string[];
  /** If the text was cut by length because no heading was found: short lines that may be headings. */
  readonly unheededLines?: readonly string[];
  /** If the text was cut by length: how many files of an archive or a folder it came in. */
  readonly pages?: number;
}

export interface BookSource {
  readonly file: string;
  readonly format: string;
  readonly encoding: string;
  readonly bytes: number;
  readonly sha256: string;
  /** For EPUBs: how many pages of each kind the file declares, in its own words ("chapter", "part", "titlepage"). */
  readonly pages?: Readonly<Record<string, number>>;
}

export interface Book {
  readonly title: string;
  readonly author: string | null;
  /** ISO 639-1 code of the text's language; null if it is not recognised. */
  readonly language: string | null;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly chapters: readonly Chapter[];
  /** Present only if the file lists title pages of parts among its chapters. */
  readonly parts?: readonly PartPage[];
  readonly words: number;
  /** How the writer corrects the characters that are found in it, from `book.yaml`. */
  readonly characterCorrections?: CharacterCorrections;
  /** What the writer says about the story, from `book.yaml`. */
  readonly storyCorrections?: StoryCorrections;
  readonly removed: readonly Removal[];
  readonly warnings: readonly string[];
  /** What the warnings about the chapters were drawn from, so that corrected chapters can be checked again. */
  readonly finding?: ChapterFinding;
  readonly source: BookSource;
}
