import { estimateTokens } from "../core/estimate-tokens.ts";
import { sumBy } from "../stats/distribution.ts";
import type { Book, ChapterRecognition, ConsideredStrategy, FrameKind } from "./book.ts";

/** A chapter, or the title page of a part that the file lists among its chapters. The title page has no text to judge. */
export interface ContentsEntry {
  readonly index: number;
  readonly kind: "chapter" | FrameKind | "part";
  readonly title: string | null;
  readonly part?: string;
  /** Pieces without a number that are counted with this chapter: a prologue with the first, an epilogue with the last. */
  readonly includes?: readonly string[];
  readonly words: number;
  /** About how many; every model counts a little differently. */
  readonly tokens: number;
}

/** What `fabula read` says about a book: everything but the text itself. Other programs rely on these names. */
export interface BookSummary {
  readonly file: string;
  readonly title: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly words: number;
  /** About how many; every model counts a little differently. */
  readonly tokens: number;
  readonly chapters: readonly ContentsEntry[];
  readonly recognised?: ChapterRecognition;
  /** The strategies that competed for the chapters, where headings decided. */
  readonly considered?: readonly ConsideredStrategy[];
  readonly removed: Book["removed"];
  readonly warnings: readonly string[];
  readonly format: string;
  readonly encoding: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages?: Readonly<Record<string, number>>;
}

export function summariseBook(book: Book): BookSummary {
  const { source, chapters, title, author, language, genres, premise, words, removed, warnings } = book;
  const counted: ContentsEntry[] = [
    ...chapters.map(({ index, text, ...chapter }) => ({
      ...{ index, kind: "chapter" as const, ...chapter, tokens: estimateTokens(text) },
    })),
    ...(book.parts ?? []).map((part) => ({ ...part, kind: "part" as const, words: 0, tokens: 0 })),
  ].sort((one, other) => one.index - other.index);
  const tokens = sumBy(counted, (chapter) => chapter.tokens);
  const { file, format, encoding, bytes, sha256, pages } = source;
  return {
    ...{ file, title, author, language, genres, premise, words, tokens, chapters: counted, removed, warnings },
    ...(book.finding?.recognised && { recognised: book.finding.recognised }),
    ...(book.finding?.considered && { considered: book.finding.considered }),
    ...{ format, encoding, bytes, sha256, ...(pages && { pages }) },
  };
}
