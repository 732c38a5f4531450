import type { Field, KnownBook } from "./forecast-input.ts";

const WORD = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu;

/** The words of a text in lower case, one spelling for each apostrophe. */
export function wordsIn(text: string): string[] {
  return text.replaceAll("’", "'").toLowerCase().match(WORD) ?? [];
}

/** What an empty list says: readers have put the book on no shelf. (No list at all says nothing.) */
const NO_GENRE = "(none listed)";

/** What counts as a term beside words and genres. */
export interface TermRules {
  readonly wordPairs: boolean;
  readonly emptyIsTerm: boolean;
}

/** How a book shows in one field: each term with how often it is there. A field that is not given has none. */
export function fieldTerms(book: KnownBook, field: Exclude<Field, "words">, rules: TermRules): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1);
  if (field === "genres") {
    for (const genre of new Set(book.genres?.map((name) => wordsIn(name).join(" ")))) add(genre);
    if (rules.emptyIsTerm && book.genres?.length === 0) add(NO_GENRE);
    return counts;
  }
  const words = wordsIn(book[field] ?? "");
  words.forEach((word, place) => {
    add(word);
    if (rules.wordPairs && place > 0) add(`${words[place - 1]} ${word}`);
  });
  return counts;
}
