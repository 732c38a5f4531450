import { z } from "zod";

/**
 * Databases keep text as UTF-8: SQLite cuts it at a NUL, PostgreSQL refuses one, and neither can hold half of a surrogate
 * pair. Replies and manuscripts hold both now and then. Such a character is kept as the last code point of Unicode, which
 * no text uses, and its four hexadecimal digits; all other text is kept as it is, so that the tables stay readable.
 */
const MARK = "\u{10ffff}";
const UNSAFE = /\0|\u{10ffff}|\p{Surrogate}/u;
const EACH_UNSAFE = new RegExp(UNSAFE, "gu");
const ESCAPED = /\u{10ffff}([0-9a-f]{4})/gu;
const MARK_ITSELF = "ffff";

export function toSafeText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replace(EACH_UNSAFE, (found) => {
    const digits = found === MARK ? MARK_ITSELF : found.charCodeAt(0).toString(16).padStart(4, "0");
    return MARK + digits;
  });
}

export function fromSafeText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replace(ESCAPED, (_, digits: string) =>
    digits === MARK_ITSELF ? MARK : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** A list of words in one column. Each is made safe first: databases that look into the JSON refuse some of its escapes. */
export function toJsonWords(words: readonly string[]): string {
  return JSON.stringify(words.map(toSafeText));
}

/** The words again, from a column that was read. */
export const jsonWords = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.string().transform(fromSafeText)));
