import type { Book } from "../../../text/book.ts";
import { type ReadOptions, readBook } from "../../../text/read-book.ts";

/** A book by its path, or one that was read before. */
export type BookOrPath = string | Book;

export async function openBook(source: BookOrPath, options: ReadOptions = {}): Promise<Book> {
  return typeof source === "string" ? readBook(source, options) : source;
}

/** What messages and results call it. */
export function fileOf(source: BookOrPath): string {
  return typeof source === "string" ? source : source.source.file;
}
