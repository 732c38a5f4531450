import type { Book } from "../book.ts";
import { type Finding, paragraphsOf, rateSignal, shareSignal } from "./finding.ts";

const SPEECH = /["“„«「]\p{L}.{2,}/u;
const SPEECH_VERBS = /\b(?:said|asked|replied|answered|cried|whispered|exclaimed|murmured|shouted|laughed)\b/g;
const THIRD_PERSON = /\b(?:he|she|him|her|his|hers)\b/gi;
const CITATION = /\[\d{1,3}\]|\bibid\b|\bet al\.|\bop\. cit\b|\bpp?\. \d+|\(\p{Lu}\p{Ll}+,? \d{4}\)/gu;

/**
 * Whether a book is non-fiction: English prose tells by speech, by the people in it, and by what it cites.
 *
 * @example
 * ```ts
 * const { answer, reason } = looksLikeNonFiction(await readBook("book.epub"));
 * if (answer !== "no") console.log(`${answer}: ${reason}`);
 * ```
 */
export function looksLikeNonFiction(book: Pick<Book, "chapters" | "words" | "language">): Finding {
  if (book.language !== null && book.language !== "en") {
    return { answer: "unsure", reason: "the signs are known for English only", signals: [] };
  }
  const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
  const speech = shareSignal("paragraphs with direct speech", paragraphsOf(book), (paragraph) =>
    SPEECH.test(paragraph),
  );
  const verbs = rateSignal("verbs of speaking in a thousand words", text, book.words, SPEECH_VERBS);
  const people = rateSignal("third-person pronouns in a thousand words", text, book.words, THIRD_PERSON);
  const citations = rateSignal("citations in a thousand words", text, book.words, CITATION);
  const signals = [speech, verbs, people, citations];
  if (verbs.value > 2 && speech.value > 0.15 && citations.value < 1)
    return { answer: "no", reason: "people speak in it", signals };
  if (verbs.value < 0.5 && speech.value < 0.08 && (citations.value > 1 || people.value < 12)) {
    return { answer: "yes", reason: "nobody speaks in it, and it cites or is not about people", signals };
  }
  return { answer: "unsure", reason: "it has signs of both", signals };
}
