import { FabulaError } from "../../../core/errors.ts";
import type { ProgressListener } from "../../../core/progress.ts";
import type { BookSummary } from "../../../text/book-summary.ts";
import { headingKey } from "../../../text/chapters/titles.ts";
import { compareEditions } from "../../../text/editions.ts";
import { POOL_SIZE } from "../../../text/parsing/parse-pool.ts";
import { type ReadOptions, readSummary } from "../../../text/read-book.ts";

export interface ReadResult {
  readonly books: readonly BookSummary[];
  /** Files that could not be read, each with the sentence that says why; the others are not lost for them. */
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
}

export interface ReadBooksOptions extends ReadOptions {
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** Fewer files than this are read before a second process has started. */
const WORTH_SHARING = 8;

/** Reads every file and says what Fabula sees in it; many files are shared among processes. */
export async function readBooks(files: readonly string[], options: ReadBooksOptions): Promise<ReadResult> {
  const books: BookSummary[] = new Array(files.length);
  const failed: { file: string; reason: string }[] = [];
  let next = 0;
  let done = 0;
  options.onProgress({ stage: "Reading", done, total: files.length });
  const takeTurns = async () => {
    for (let index = next++; index < files.length; index = next++) {
      options.signal.throwIfAborted();
      const file = files[index]!;
      try {
        books[index] = await readSummary(file, options);
      } catch (error) {
        if (!(error instanceof FabulaError) || files.length === 1) throw error;
        failed.push({ file, reason: error.message });
      }
      options.onProgress({ stage: "Reading", done: ++done, total: files.length, note: file });
    }
  };
  await Promise.all(Array.from({ length: files.length >= WORTH_SHARING ? POOL_SIZE : 1 }, takeTurns));
  return { books: withComparedEditions(books.filter((book) => book !== undefined)), failed };
}

/** Where one book is given in two formats, the later one says where it differs from the first. */
function withComparedEditions(books: readonly BookSummary[]): readonly BookSummary[] {
  const first = new Map<string, BookSummary>();
  return books.map((book) => {
    const key = `${headingKey(book.title)}\n${headingKey(book.author ?? "")}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, book);
    if (earlier === undefined || earlier.format === book.format) return book;
    return { ...book, warnings: [...book.warnings, ...compareEditions(editionIn(earlier), editionIn(book))] };
  });
}

function editionIn({ file, words, chapters }: BookSummary) {
  return { file, words, chapters: chapters.filter(({ kind }) => kind === "chapter"), lastParagraph: null };
}
