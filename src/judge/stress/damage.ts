import type { Random } from "../../core/random.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { Book, Chapter } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";

/** What a damage may use beside the book itself. */
export interface DamageSource {
  readonly random: Random;
  /** How much of the book is damaged, from 0 to 1, where that can be chosen. */
  readonly strength: number;
  /** Another novel, for splicing; without one that damage is left out. */
  readonly donor: Book | null;
}

/** A change of a book that a judge should notice, or must not. */
export interface Damage {
  readonly id: string;
  readonly name: string;
  /** A harmless change must not move a score; any other should lower it. */
  readonly harmless: boolean;
  /** The changed book, or null where this one cannot be changed that way. */
  apply(book: Book, source: DamageSource): Book | null;
}

/** The same book with other texts in its chapters. */
export function withTexts(book: Book, textOf: (chapter: Chapter, place: number) => string): Book {
  return withChapters(
    book,
    book.chapters.map((chapter, place) => {
      const text = textOf(chapter, place);
      return { ...chapter, text, words: countWords(text) };
    }),
  );
}

/** The same book with other chapters, numbered from 1. */
export function withChapters(book: Book, chapters: readonly Chapter[]): Book {
  return {
    ...book,
    chapters: chapters.map((chapter, place) => ({ ...chapter, index: place + 1 })),
    words: sumBy(chapters, ({ words }) => words),
  };
}
