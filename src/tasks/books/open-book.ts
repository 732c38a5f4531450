import { readFile } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import type { Book } from "../../text/book.ts";
import { type ReadOptions, readBook, readBookFromBytes } from "../../text/read-book.ts";
import { type BookInput, NOT_A_BOOK } from "../define/book-input.ts";

const UNNAMED = "text";

/** Reads whatever was given for a book. */
export async function openBook(source: BookInput, options: ReadOptions = {}): Promise<Book> {
  if (typeof source === "string") return readBook(source, options);
  // A program in JavaScript may give anything.
  if (typeof source !== "object" || source === null) throw new FabulaError("E_USAGE", NOT_A_BOOK);
  if ("chapters" in source) return source;
  return readBookFromBytes(await bytesOf(source), fileOf(source), options);
}

/** What messages, events and results call it. */
export function fileOf(source: BookInput): string {
  if (typeof source === "string") return source;
  if (source instanceof Uint8Array || typeof source !== "object" || source === null) return UNNAMED;
  return "chapters" in source ? source.source.file : (source.name ?? UNNAMED);
}

/** The file as it is. */
export async function bytesOf(source: Exclude<BookInput, Book>): Promise<Uint8Array> {
  if (typeof source === "string") return readFile(source);
  if (source instanceof Uint8Array) return source;
  if ("bytes" in source) return source.bytes;
  if ("text" in source) return new TextEncoder().encode(source.text);
  source satisfies never;
  throw new FabulaError("E_USAGE", NOT_A_BOOK);
}
