import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import type { Book } from "../../text/book.ts";
import { type CharacterCorrections, characterCorrectionsSchema } from "../../text/corrections/character-and-story.ts";
import { type ReadOptions, readBook, readBookFromBytes } from "../../text/read-book.ts";
import { type BookInput, NOT_A_BOOK } from "../define/shared-fields.ts";

/** A writer's corrections to the characters, in the folder of a book of the library. */
export const CHARACTERS_FILE = "characters.json";

const ID_LENGTH = 20;

/**
 * The library names a book's folder by the hash of its file, so the same file is the same book wherever it is stored.
 */
export function libraryId(sha256: string): string {
  return sha256.slice(0, ID_LENGTH);
}

/** Looks up corrections made in the web app, for a book that is read from one of the user's files. */
export function keptCharactersIn(library: string): NonNullable<ReadOptions["keptCharacters"]> {
  return (sha256) => readCharacters(join(library, "books", libraryId(sha256)));
}

/** The stored corrections; null if there are none. */
export async function readCharacters(folder: string): Promise<CharacterCorrections | null> {
  const path = join(folder, CHARACTERS_FILE);
  const source = await readFile(path, "utf8").catch(() => null);
  if (source === null) return null;
  try {
    return characterCorrectionsSchema.parse(JSON.parse(source));
  } catch (cause) {
    throw new FabulaError(
      "E_LIBRARY_DAMAGED",
      `"${path}" of the library cannot be read: delete it and correct the characters again.`,
      { cause },
    );
  }
}

const UNNAMED = "text";

/** Reads a book from whatever was given. */
export async function openBook(source: BookInput, options: ReadOptions = {}): Promise<Book> {
  if (typeof source === "string") return readBook(source, options);
  // A JavaScript program may pass anything.
  if (typeof source !== "object" || source === null) throw new FabulaError("E_USAGE", NOT_A_BOOK);
  if ("chapters" in source) return source;
  return readBookFromBytes(await bytesOf(source), fileOf(source), options);
}

/** What messages, events and results call the source. */
export function fileOf(source: BookInput): string {
  if (typeof source === "string") return source;
  if (source instanceof Uint8Array || typeof source !== "object" || source === null) return UNNAMED;
  return "chapters" in source ? source.source.file : (source.name ?? UNNAMED);
}

/** The bytes of the source, unchanged. */
export async function bytesOf(source: Exclude<BookInput, Book>): Promise<Uint8Array> {
  if (typeof source === "string") return readFile(source);
  if (source instanceof Uint8Array) return source;
  if ("bytes" in source) return source.bytes;
  if ("text" in source) return new TextEncoder().encode(source.text);
  source satisfies never;
  throw new FabulaError("E_USAGE", NOT_A_BOOK);
}

/** A book of a batch that could not be judged, and why. */
export interface FailedBook {
  readonly file: string;
  readonly reason: string;
}

export type FailedBookListener = (failed: FailedBook, error: unknown) => void | Promise<void>;

/** Opens one book of a batch. One that cannot be opened is reported and gives null, so that the others continue. */
export async function openOrReport<Opened>(
  file: string,
  open: () => Promise<Opened>,
  onFailed: FailedBookListener | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  try {
    return await open();
  } catch (error) {
    if (!onFailed || signal.aborted) throw error;
    await onFailed({ file, reason: error instanceof Error ? error.message : String(error) }, error);
    return null;
  }
}
