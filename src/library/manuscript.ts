import type { Book } from "../text/book.ts";
import type { ReadOptions } from "../text/read-book.ts";
import { type BookMap, bookMap } from "../workflows/books/map-book.ts";
import { type NotesOfBook, notesOfBook } from "../workflows/books/notes/line-notes.ts";
import { type CommonOptions, interruptible } from "./options.ts";
import { type BookInput, openSource } from "./source.ts";

/** How a book is read: what you know about it, its format where the name does not tell, corrections to its chapters. */
export interface ReadBookOptions extends ReadOptions, CommonOptions {}

/** Reads a book into clean chapters. */
export function readBook(source: BookInput, options: ReadBookOptions = {}): Promise<Book> {
  return interruptible(options, () => openSource(source, options));
}

/** Every sentence with the probability that a professional editor would change it, and the likeliest kind of change. */
export function lineNotes(source: BookInput, options: ReadBookOptions = {}): Promise<NotesOfBook> {
  return interruptible(options, async () => notesOfBook(await openSource(source, options)));
}

/** What can be counted, chapter by chapter, beside published novels. */
export function mapManuscript(source: BookInput, options: ReadBookOptions = {}): Promise<BookMap> {
  return interruptible(options, async () => bookMap(await openSource(source, options)));
}
