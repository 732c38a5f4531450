import { z } from "zod";
import { fromSafeText, toSafeText } from "./safe-text.ts";

/** A list of words in one column. Each is made safe first: databases that look into the JSON refuse some of its escapes. */
export function toJsonWords(words: readonly string[]): string {
  return JSON.stringify(words.map(toSafeText));
}

/** The words again, from a column that was read. */
export const jsonWords = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.string().transform(fromSafeText)));
