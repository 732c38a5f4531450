import type { ProgressListener } from "../core/progress.ts";
import type { Book } from "../text/book.ts";
import { type ReadOptions, readBook } from "../text/read-book.ts";

/** Reads each file in turn. The first that cannot be read ends the work: what is wrong with it is one clear sentence. */
export async function readBooks(
  files: readonly string[],
  options: ReadOptions & { readonly onProgress: ProgressListener; readonly signal: AbortSignal },
): Promise<Book[]> {
  const books: Book[] = [];
  for (const file of files) {
    options.signal.throwIfAborted();
    options.onProgress({ stage: "Reading", done: books.length, total: files.length, note: file });
    books.push(await readBook(file, options));
  }
  return books;
}
