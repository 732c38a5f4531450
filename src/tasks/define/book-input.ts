import { z } from "zod";
import type { Book } from "../../text/book.ts";

/**
 * What every task takes for a book: the path of a file or folder, its bytes, its text, or a book that was read before.
 * A string is always a path; text is wrapped, so that the two cannot be mistaken for each other.
 */
export type BookInput =
  | string
  | Uint8Array
  | { readonly bytes: Uint8Array; readonly name?: string }
  | { readonly text: string; readonly name?: string }
  | Book;

export const NOT_A_BOOK =
  "A book is a path, bytes, { text }, { bytes, name } or what `readBook` returned: give one of these.";

export const bookInput = z.custom<BookInput>(isBookInput, NOT_A_BOOK);

/** A description of a story has no text in it. */
export function isBookInput(value: unknown): value is BookInput {
  if (typeof value === "string" || value instanceof Uint8Array) return true;
  if (typeof value !== "object" || value === null) return false;
  return "chapters" in value || "text" in value || "bytes" in value;
}

/** What a task takes for a text that is no book, such as a rubric: the path of a file, or the text itself. */
export const textInput = z.strictObject({ text: z.string(), name: z.string().exactOptional() });
export type TextInput = string | z.output<typeof textInput>;
export const TEXT_INPUT = "string | { readonly text: string; readonly name?: string }";
