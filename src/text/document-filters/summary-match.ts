import type { Book } from "../book.ts";
import type { Finding, Signal } from "./finding.ts";

/** Capitalised words that do not open a sentence: the people and places of a summary. */
const NAME = /(?<=[\p{Ll},;:’'"”)]\s)\p{Lu}\p{Ll}{2,}/gu;
const FEWEST_NAMES = 4;

/**
 * Whether a summary tells of another book than this: the people and places it names must occur in the text.
 *
 * @example
 * ```ts
 * const { answer, reason } = summaryIsOfAnotherBook(await readBook("novel.epub"), summary);
 * if (answer === "yes") console.log(`not this book's summary: ${reason}`);
 * ```
 */
export function summaryIsOfAnotherBook(book: Pick<Book, "chapters">, summary: string): Finding {
  const names = [...new Set(summary.match(NAME) ?? [])];
  if (names.length < FEWEST_NAMES) {
    return { answer: "unsure", reason: `the summary has only ${names.length} names to look for`, signals: [] };
  }
  const text = book.chapters.map((chapter) => chapter.text).join("\n");
  const missing = names.filter((name) => !text.includes(name));
  const found = names.filter((name) => text.includes(name));
  const share = found.length / names.length;
  const signals: Signal[] = [
    { name: "names of the summary that the text has", value: share, examples: found.slice(0, 5) },
    { name: "names of the summary that the text lacks", value: 1 - share, examples: missing.slice(0, 5) },
  ];
  if (share >= 0.7) return { answer: "no", reason: "its people and places are the text's", signals };
  if (share <= 0.25) return { answer: "yes", reason: "its people and places are not in the text", signals };
  return { answer: "unsure", reason: "some of its names are in the text and some are not", signals };
}
