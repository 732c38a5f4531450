import type { Book } from "../book.ts";
import type { Finding, Signal } from "./finding.ts";
import { distinctWords, matchSummary, SAME_BOOK_SHARE } from "./match-summary.ts";

/**
 * Whether a summary tells of another book than this: most of the people and places it names must occur in the text.
 *
 * @example
 * ```ts
 * const { answer, reason } = summaryIsOfAnotherBook(await readBook("novel.epub"), summary);
 * if (answer === "yes") console.log(`not this book's summary: ${reason}`);
 * ```
 */
export function summaryIsOfAnotherBook(book: Pick<Book, "chapters">, summary: string): Finding {
  const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
  const { share, found, absent } = matchSummary(summary, distinctWords(text));
  if (share === null) {
    const names = found.length + absent.length;
    return { answer: "unsure", reason: `the summary has only ${names} names to look for`, signals: [] };
  }
  const signals: Signal[] = [
    { name: "names of the summary that the text has", value: share, examples: found.slice(0, 5) },
    { name: "names of the summary that the text lacks", value: 1 - share, examples: absent.slice(0, 5) },
  ];
  return share < SAME_BOOK_SHARE
    ? { answer: "yes", reason: "most of its people and places are not in the text", signals }
    : { answer: "no", reason: "its people and places are in the text", signals };
}
