import { readFile } from "node:fs/promises";
import { FabulaError } from "../core/errors.ts";
import type { Book } from "../text/book.ts";
import { type ReadOptions, readBook, readBookFromBytes } from "../text/read-book.ts";

/**
 * What every function takes for a book: the path of a file or folder, its bytes, its text, or a book that was read before.
 * A string is always a path; text is wrapped, so that the two cannot be mistaken for each other.
 */
export type BookInput =
  | string
  | Uint8Array
  | { readonly bytes: Uint8Array; readonly name?: string }
  | { readonly text: string; readonly name?: string }
  | Book;

const UNNAMED = "text";

/** Reads whatever was given for a book. */
export async function openSource(source: BookInput, options: ReadOptions = {}): Promise<Book> {
  if (typeof source === "string") return readBook(source, options);
  if (source instanceof Uint8Array) return readBookFromBytes(source, UNNAMED, options);
  // A program in JavaScript may give anything.
  if (typeof source !== "object" || source === null) throw notABook();
  if ("chapters" in source) return source;
  if ("text" in source) return readBookFromBytes(new TextEncoder().encode(source.text), nameOf(source), options);
  if ("bytes" in source) return readBookFromBytes(source.bytes, nameOf(source), options);
  source satisfies never;
  throw notABook();
}

function notABook(): FabulaError {
  const message = "A book is a path, bytes, { text }, { bytes, name } or what `readBook` returned: give one of these.";
  return new FabulaError("E_USAGE", message);
}

/** What events and results call it. */
export function nameOf(source: BookInput): string {
  if (typeof source === "string") return source;
  if (source instanceof Uint8Array || typeof source !== "object" || source === null) return UNNAMED;
  return "chapters" in source ? source.source.file : (source.name ?? UNNAMED);
}

/** The file as it is, where it is known. */
export async function bytesOf(source: BookInput): Promise<Uint8Array | null> {
  if (typeof source === "string") return readFile(source);
  if (source instanceof Uint8Array) return source;
  return "bytes" in source ? source.bytes : null;
}
