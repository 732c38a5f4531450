import type { Book } from "../text/book.ts";
import { NO_CORRECTIONS } from "../text/corrections/character-and-story.ts";
import { type CheckedBook, checkProse } from "./checks/check-book.ts";
import { readManuscript } from "./map/book-prose.ts";
import { type ManuscriptMap, mapProse } from "./map/manuscript-map.ts";

/** The parts of a book that counting needs: plain data, which can be sent to a thread. */
export type CountableBook = Pick<Book, "chapters" | "language" | "characterCorrections">;

/** Everything that is counted in a book's prose, which is parsed once for both parts. */
export interface CountedBook {
  readonly map: ManuscriptMap;
  readonly findings: CheckedBook["findings"];
}

export function countBook({ chapters, language, characterCorrections = NO_CORRECTIONS }: CountableBook): CountedBook {
  const bookProse = readManuscript(chapters, characterCorrections);
  return { map: mapProse(bookProse, language), findings: checkProse(bookProse, chapters, language).findings };
}
