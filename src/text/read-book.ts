import { isBuilt } from "../core/assets.ts";
import type { Book } from "./book.ts";
import { type BookSummary, summariseBook } from "./book-summary.ts";
import { LIMITS } from "./files/limits.ts";
import { readStream, tooLarge } from "./files/read-file.ts";
import { parseApart } from "./parsing/parse-pool.ts";
import type { ParseQuestion } from "./parsing/parse-process.ts";
import { type ReadOptions, readBookHere, readBytesHere } from "./read-here.ts";
import { loadTokenCounter } from "./tokens/tokens.ts";

export type { BookReading, ReadOptions } from "./read-here.ts";

/**
 * Reads a book: one file, a folder or a quoted glob of chapter files, or `-` for standard input. The file is parsed in a
 * process of its own that is ended when it takes too much time or memory, so that no file can harm this one.
 */
export async function readBook(path: string, options: ReadOptions = {}): Promise<Book> {
  return read(await sourceOf(path, options), options);
}

/** Reads a book from bytes already in memory, such as an upload. `name` is shown, and its ending may tell the format. */
export async function readBookFromBytes(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<Book> {
  if (bytes.length > LIMITS.fileBytes) throw tooLarge(name, bytes.length);
  return read({ path: name, bytes, options: crossing(options) }, options);
}

async function read(source: Source, { signal, keptCharacters }: ReadOptions): Promise<Book> {
  const book = isBuilt() ? await parseApart({ ...source, wants: "book" }, signal) : await readIn(source);
  if (book.characterCorrections) return book;
  const characterCorrections = await keptCharacters?.(book.source.sha256);
  return characterCorrections ? { ...book, characterCorrections } : book;
}

/** The same, with what `fabula read` says about the book in place of its text. */
export async function readSummary(path: string, options: ReadOptions = {}): Promise<BookSummary> {
  const source = await sourceOf(path, options);
  if (isBuilt()) return parseApart({ ...source, wants: "summary" }, options.signal);
  return summariseBook(await readIn(source), await loadTokenCounter());
}

type Source = Omit<ParseQuestion, "wants">;

/** Streams and functions stay on this side. */
function crossing({ metadata, format, corrections, characterCorrections }: ReadOptions): Source["options"] {
  return {
    ...(metadata && { metadata }),
    ...(format !== undefined && { format }),
    ...(corrections && { corrections }),
    ...(characterCorrections && { characterCorrections }),
  };
}

/** Standard input belongs to this process: its bytes are handed on. */
async function sourceOf(path: string, given: ReadOptions): Promise<Source> {
  const options = crossing(given);
  const { stdin } = given;
  if (path !== "-" || !stdin) return { path, bytes: null, options };
  const name = "standard input";
  return { path: name, bytes: await readStream(stdin, name), options };
}

/** Processes run compiled code only: from the sources (tests) the same work is done in place. */
function readIn({ path, bytes, options }: Source): Promise<Book> {
  return bytes === null ? readBookHere(path, options) : readBytesHere(bytes, path, options);
}
