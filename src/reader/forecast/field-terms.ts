import type { Field, KnownBook } from "./forecast-input.ts";

const WORD = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu;

/** The words of a text in lower case, one spelling for each apostrophe. */
export function wordsIn(text: string): string[] {
  return text.replaceAll("’", "'").toLowerCase().match(WORD) ?? [];
}

/** What an empty list says: readers have put the book on no shelf. (No list at all says nothing.) */
export const NO_GENRE = "(none listed)";

function genreTerms(genres: readonly string[] | null | undefined): string[] {
  if (!genres) return [];
  return genres.length === 0 ? [NO_GENRE] : [...new Set(genres.map((genre) => wordsIn(genre).join(" ")))];
}

/** How a book shows in one field: each term with how often it is there. A field that is not given has none. */
export function fieldTerms(book: KnownBook, field: Exclude<Field, "words">): Map<string, number> {
  const terms = field === "genres" ? genreTerms(book.genres) : wordsIn(book[field] ?? "");
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
