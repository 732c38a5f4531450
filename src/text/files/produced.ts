import { FabulaError } from "../../core/errors.ts";
import { LIMITS } from "./limits.ts";

/** What comes out counts, not what went in: a small file may be read as more text than any book has. */
export function checkProduced(characters: number, file: string): void {
  if (characters <= LIMITS.bookCharacters) return;
  throw new FabulaError(
    "E_TOO_LARGE",
    `${file} holds more than ${LIMITS.bookCharacters / 1e6} million characters, more than a book may have: split it and give one book at a time.`,
  );
}
