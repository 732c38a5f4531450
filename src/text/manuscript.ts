import type { ChapterFinding, FrameKind, Removal } from "./book.ts";

/**
 * A file as its format reader returns it, before chapters are recognised: blocks in reading order. A heading is only a candidate.
 * `level` is 1–6 where the file itself marks it (a tag, a style, `#`), and 0 where only its words look like one.
 */
export type Block = Paragraph | HeadingBlock | SceneBreak | SectionStart;

export interface Paragraph {
  readonly kind: "paragraph";
  readonly text: string;
}

export interface HeadingBlock {
  readonly kind: "heading";
  readonly lines: readonly string[];
  readonly level: number;
  /** Blank lines above it in a plain text: chapters are further apart than the letters inside them. */
  readonly space?: number;
  /** The file's navigation names this place. */
  readonly isListed?: boolean;
}

export interface SceneBreak {
  readonly kind: "break";
  /** A new page begins here; it need not separate two scenes. */
  readonly isPage?: true;
}

/** Where one file of an archive or a folder begins, with what the file's own marks say about it. */
export interface SectionStart {
  readonly kind: "section";
  readonly where: string;
  readonly role: SectionRole;
  /** The title the navigation document gives this place. */
  readonly title: string | null;
  /** The title is only the name of a file in a folder: no navigation lists it. */
  readonly isFileName?: boolean;
  /** For paratext: the marks do not prove that it is not story, unlike those of a cover or an imprint. */
  readonly isDoubtful?: boolean;
}

/**
 * `division`: the title page of a part or book that contains chapters. `binding`: a volume, or an epilogue with chapters of its
 * own: it contains others, and no list of chapters counts it. `opening`, `closing`: a prologue, an epilogue and the like, part of
 * the story but without a number. `notes`: notes that are part of the story, read with the chapter before them. `body`: the
 * story, without anything about its division. `paratext`: around the story, not part of it (title page, imprint, dedication,
 * notes). `unknown`: the file does not say, so its words decide.
 */
export type SectionRole =
  | "chapter"
  | "division"
  | "binding"
  | "opening"
  | "closing"
  | "notes"
  | "body"
  | "paratext"
  | "unknown";

export interface Metadata {
  readonly title?: string;
  readonly author?: string;
  readonly language?: string;
  readonly genres?: readonly string[];
  readonly premise?: string;
}

export interface Manuscript {
  readonly blocks: readonly Block[];
  readonly metadata: Metadata;
  readonly encoding: string;
  /** For archives: how many pages of each kind the file declares, in its own words ("chapter", "part", "titlepage"). */
  readonly pages?: Readonly<Record<string, number>>;
  /** The line pass has already processed the file's own lines. */
  readonly isLinePassed?: boolean;
  readonly removed: readonly Removal[];
  readonly warnings: readonly string[];
}

/** A chapter before it is numbered and counted. */
export interface RawChapter {
  readonly title: string | null;
  readonly part: string | null;
  readonly text: string;
  readonly includes?: readonly string[];
  /** Stated by the file; otherwise recognised by the title. */
  readonly kind?: FrameKind;
}

/** A title page of a part that is numbered along with the chapters. */
export interface RawPartPage {
  readonly title: string;
  readonly part: string | null;
  /** How many chapters precede it. */
  readonly chaptersBefore: number;
}

export interface Split {
  readonly chapters: readonly RawChapter[];
  readonly parts?: readonly RawPartPage[];
  readonly removed: readonly Removal[];
  readonly finding: ChapterFinding;
}

/**
 * What a line is, if it is read as a heading. `chapter`, `division`: a word and a number. `named`: Prologue, Epilogue. `lead-in`:
 * 楔子, which opens the first chapter. `numeral`: a bare number, perhaps with a title. `paratext`: Contents, Index, Transcriber's
 * Note.
 */
export interface Recognition {
  readonly kind: "chapter" | "division" | "named" | "lead-in" | "numeral" | "paratext";
  /** The word that names the piece ("chapter", "第…回"), so that numbering is checked within one series. */
  readonly series: string;
  readonly number: number | null;
  /** What follows the label on the same line. */
  readonly rest: string;
}
