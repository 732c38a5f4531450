import type { Book } from "../text/book.ts";
import type { TokenCounter } from "../text/tokens.ts";

/** What `fabula read` says about a book: everything but the text itself. Other programs rely on these names. */
export interface BookSummary {
  readonly file: string;
  readonly title: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly words: number;
  readonly tokens: number;
  readonly chapters: readonly {
    readonly index: number;
    readonly title: string | null;
    readonly part?: string;
    readonly words: number;
    readonly tokens: number;
  }[];
  readonly removed: Book["removed"];
  readonly warnings: readonly string[];
  readonly format: string;
  readonly encoding: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages?: Readonly<Record<string, number>>;
}

export function summariseBook(book: Book, countTokens: TokenCounter): BookSummary {
  const { source, chapters, title, author, language, genres, premise, words, removed, warnings } = book;
  const counted = chapters.map(({ text, ...chapter }) => ({ ...chapter, tokens: countTokens(text) }));
  const tokens = counted.reduce((sum, chapter) => sum + chapter.tokens, 0);
  const { file, format, encoding, bytes, sha256, pages } = source;
  return {
    ...{ file, title, author, language, genres, premise, words, tokens, chapters: counted, removed, warnings },
    ...{ format, encoding, bytes, sha256, ...(pages && { pages }) },
  };
}
