import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";

/** A stretch of a book, some paragraphs long, with its place: offsets point into the chapter's text. */
export interface Passage {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Long enough to hold an event with its people, short enough that a dozen fit into any model. */
const PASSAGE_WORDS = 180;

/**
 * Cuts each chapter between paragraphs into passages of about the same length. Each knows its chapter and its place in
 * the chapter's text.
 *
 * @example
 * ```ts
 * const passages = passagesOf(await readBook("novel.epub"));
 * console.log(passages.length, passages[0]?.chapter, passages[0]?.text);
 * ```
 */
export function passagesOf(book: Pick<Book, "chapters">): Passage[] {
  return book.chapters.flatMap(({ index, text }) => {
    const passages: Passage[] = [];
    let start = 0;
    let words = 0;
    for (const { from, end } of paragraphs(text)) {
      if (words === 0) start = from;
      words += countWords(text.slice(from, end));
      if (words >= PASSAGE_WORDS) {
        passages.push({ chapter: index, start, end, text: text.slice(start, end) });
        words = 0;
      }
    }
    if (words > 0) passages.push({ chapter: index, start, end: text.length, text: text.slice(start) });
    return passages;
  });
}

/** Paragraphs, and the pieces of one that is much longer than a passage. */
function* paragraphs(text: string): Generator<{ from: number; end: number }> {
  const LONGEST = PASSAGE_WORDS * 12;
  for (let from = 0; from < text.length; ) {
    const gap = text.indexOf("\n\n", from);
    const paragraphEnd = gap < 0 ? text.length : gap;
    const space = text.lastIndexOf(" ", from + LONGEST);
    const cut = paragraphEnd - from <= LONGEST ? paragraphEnd : space > from ? space : from + LONGEST;
    yield { from, end: cut };
    from = cut === paragraphEnd ? paragraphEnd + 2 : cut + (text[cut] === " " ? 1 : 0);
  }
}
