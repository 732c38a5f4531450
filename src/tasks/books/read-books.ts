import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type BookSummary, summariseBook } from "../../text/book-summary.ts";
import { headingKey } from "../../text/chapters/titles.ts";
import { compareEditions } from "../../text/editions.ts";
import { findBooks } from "../../text/files/find-books.ts";
import { POOL_SIZE } from "../../text/parsing/parse-pool.ts";
import { type ReadOptions, readSummary } from "../../text/read-book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { fileOf, openBook } from "./open-book.ts";

export interface ReadResult {
  readonly books: readonly BookSummary[];
  /** Books that could not be read, each with the reason in a sentence; the others are still read. */
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
}

export interface ReadBooksOptions extends ReadOptions {
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** With fewer files than this, reading is done before a second process has started. */
const WORTH_SHARING = 8;

/**
 * Reads every book and says what Fabula sees in it. A folder may hold several books; if there are many, several
 * processes share them.
 */
export async function readBooks(given: readonly BookInput[], options: ReadBooksOptions): Promise<ReadResult> {
  const paths = given.filter((source) => typeof source === "string");
  const found = await findBooks(paths);
  const sources = [...found.files, ...given.filter((source) => typeof source !== "string")];
  const books: BookSummary[] = new Array(sources.length);
  const failed: { file: string; reason: string }[] = [];
  let next = 0;
  let done = 0;
  options.onProgress({ stage: "Reading", done, total: sources.length });
  const takeTurns = async () => {
    for (let index = next++; index < sources.length; index = next++) {
      options.signal.throwIfAborted();
      const source = sources[index]!;
      try {
        books[index] = await summaryOf(source, options);
      } catch (error) {
        if (!(error instanceof FabulaError) || sources.length === 1) throw error;
        failed.push({ file: fileOf(source), reason: error.message });
      }
      options.onProgress({ stage: "Reading", done: ++done, total: sources.length, note: fileOf(source) });
    }
  };
  await Promise.all(Array.from({ length: sources.length >= WORTH_SHARING ? POOL_SIZE : 1 }, takeTurns));
  return {
    books: withComparedEditions(books.filter((book) => book !== undefined)),
    failed: [...failed, ...found.failed],
  };
}

/** Returns only the summary: the text stays in the process that reads the file. */
async function summaryOf(source: BookInput, options: ReadOptions): Promise<BookSummary> {
  if (typeof source === "string") return readSummary(source, options);
  return summariseBook(await openBook(source, options));
}

/** If a book is given in two formats, the second one says how it differs from the first. */
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
  return { file, words, chapters: chapters.filter(({ kind }) => kind !== "part"), lastParagraph: null };
}
