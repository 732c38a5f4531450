import { isBuilt } from "../core/assets.ts";
import { sha256 } from "../core/hash.ts";
import type { Book } from "./book.ts";
import { type BookSummary, summariseBook } from "./book-summary.ts";
import { kindOfPath, LIMITS, readLimited, readStream, tooLarge } from "./files/read-file.ts";
import { parseBook, parseBookBytes, type ReadOptions, withBookYaml } from "./parse-book.ts";
import { parseApart } from "./parsing/parse-pool.ts";
import type { ParseQuestion } from "./parsing/parse-process.ts";

export type { BookReadOptions, ReadOptions } from "./parse-book.ts";

/**
 * Reads a book: one file, a folder or a quoted glob of chapter files, or `-` for standard input. The file is parsed in a process
 * of its own, which is stopped if it takes too much time or memory, so that no file can harm this one.
 */
export async function readBook(path: string, options: ReadOptions = {}): Promise<Book> {
  return read(await sourceOf(path, options), options);
}

/** Reads a book from bytes already in memory, such as an upload. `name` is shown in messages, and its extension may show the format. */
export async function readBookFromBytes(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<Book> {
  if (bytes.length > LIMITS.fileBytes) throw tooLarge(name, bytes.length);
  return read({ path: name, bytes, options: sendable(options) }, options);
}

async function read(source: Source, { signal, keptCharacters }: ReadOptions): Promise<Book> {
  const book = isBuilt() ? await parseApart({ ...source, wants: "book" }, signal) : await readIn(source);
  if (book.characterCorrections) return book;
  const characterCorrections = await keptCharacters?.(book.source.sha256);
  return characterCorrections ? { ...book, characterCorrections } : book;
}

/** An unparsed file with everything known about it here: what another machine needs to read the book. */
export interface UnreadBook {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly options: Source["options"];
}

/** What `readBookFromBytes` needs on another machine; null for anything other than one file (a folder, a glob, standard input). */
export async function unreadBook(
  source: string | Pick<UnreadBook, "name" | "bytes">,
  options: ReadOptions = {},
): Promise<UnreadBook | null> {
  const isPath = typeof source === "string";
  if (isPath && (await kindOfPath(source)) !== "file") return null;
  const { name, bytes } = isPath ? { name: source, bytes: await readLimited(source) } : source;
  const known = isPath ? await withBookYaml(source, false, options) : options;
  const characterCorrections = known.characterCorrections ?? (await options.keptCharacters?.(sha256(bytes)));
  return { name, bytes, options: { ...sendable(known), ...(characterCorrections && { characterCorrections }) } };
}

/** Reads a book and returns what `fabula read` reports about it, without its text. */
export async function readSummary(path: string, options: ReadOptions = {}): Promise<BookSummary> {
  const source = await sourceOf(path, options);
  if (isBuilt()) return parseApart({ ...source, wants: "summary" }, options.signal);
  return summariseBook(await readIn(source));
}

type Source = Omit<ParseQuestion, "wants">;

/** The options that can be sent to another process: streams and functions cannot. */
function sendable(options: ReadOptions): Source["options"] {
  const { metadata, format, corrections, characterCorrections, storyCorrections } = options;
  return {
    ...(metadata && { metadata }),
    ...(format !== undefined && { format }),
    ...(corrections && { corrections }),
    ...(characterCorrections && { characterCorrections }),
    ...(storyCorrections && { storyCorrections }),
  };
}

/** Standard input belongs to this process, so its bytes are read here and sent on. */
async function sourceOf(path: string, given: ReadOptions): Promise<Source> {
  const options = sendable(given);
  const { stdin } = given;
  if (path !== "-" || !stdin) return { path, bytes: null, options };
  const name = "standard input";
  return { path: name, bytes: await readStream(stdin, name), options };
}

/** Other processes run compiled code only; when run from the sources (tests), the work is done in this process. */
function readIn({ path, bytes, options }: Source): Promise<Book> {
  return bytes === null ? parseBook(path, options) : parseBookBytes(bytes, path, options);
}
