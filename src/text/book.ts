/** One chapter of clean text. Paragraphs are separated by one blank line; offsets in evidence point into `text`. */
export interface Chapter {
  /** 1-based position in reading order. */
  readonly index: number;
  readonly title: string | null;
  readonly text: string;
  readonly words: number;
  /** The parts, books or volumes this chapter stands in, outermost first: "Part I · Book II". */
  readonly part?: string;
}

/** Something that was in the file and is not narrative, with the rule that took it. */
export interface Removal {
  readonly rule: string;
  readonly where: string;
  readonly text: string;
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
  /** ISO 639-1 code of the language the text is in, or null when it cannot be told. */
  readonly language: string | null;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly chapters: readonly Chapter[];
  readonly words: number;
  readonly removed: readonly Removal[];
  readonly warnings: readonly string[];
  readonly source: BookSource;
}
