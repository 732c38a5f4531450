import type { Book } from "../text/book.ts";
import { NO_CORRECTIONS } from "../text/corrections/character-and-story.ts";
import { type CheckedBook, checkProse } from "./checks/check-book.ts";
import { readManuscript } from "./map/book-prose.ts";
import { type ManuscriptMap, mapProse } from "./map/manuscript-map.ts";

/** What counting needs of a book: data alone, which can be sent to a thread. */
export type CountableBook = Pick<Book, "chapters" | "language" | "characterCorrections">;

/** Everything that is counted in the prose of a book, which is read once for both. */
export interface CountedBook {
  readonly map: ManuscriptMap;
  readonly findings: CheckedBook["findings"];
}

export function countBook({ chapters, language, characterCorrections = NO_CORRECTIONS }: CountableBook): CountedBook {
  const bookProse = readManuscript(chapters, characterCorrections);
  return { map: mapProse(bookProse, language), findings: checkProse(bookProse, chapters, language).findings };
}
