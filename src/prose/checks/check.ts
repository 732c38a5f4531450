import { countLeading } from "../../core/count-leading.ts";
import type { Severity } from "../../core/finding.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import type { Span } from "../prose-text.ts";

/** What `fabula check` looks for, in the order of the documentation. */
export const CHECK_KINDS = [
  "repeated-passage",
  "name-variant",
  "tense-shift",
  "person-shift",
  "attribute-conflict",
  "state-conflict",
  "vanished-character",
  "chapter-order",
  "point-of-view",
  "exposition-block",
  "quiet-stretch",
  "overused",
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/**
 * A finding before the reliability of its kind is taken into account. Positions are offsets into the joined text of
 * the book.
 */
export interface Suspicion {
  readonly kind: CheckKind;
  /** The detail that was measured separately, if one kind covers several, such as a person's age and eyes. */
  readonly detail?: string;
  readonly title: string;
  readonly claim: string;
  readonly severity: Severity;
  readonly places: readonly Span[];
  readonly advice: string;
}

/** One check of a parsed book. */
export type Check = (bookProse: BookProse) => Suspicion[];

/**
 * The sentence around a position; for a very long one, the words near the position, since a name alone says nothing.
 */
export function sentenceAround({ sentences, prose }: BookProse, { start, end }: Span, longest = 400): Span {
  const sentence = sentences[countLeading(sentences, (one) => one.end <= start)];
  if (!sentence || sentence.start > start || sentence.end < end) return { start, end };
  if (sentence.end - sentence.start <= longest) return { start: sentence.start, end: sentence.end };
  const room = (longest - (end - start)) / 2;
  let [first, last] = [sentence.firstWord, sentence.endWord - 1];
  while (spanOfWords(prose, first, first + 1).start < Math.min(start, start - room)) first++;
  while (spanOfWords(prose, last, last + 1).end > Math.max(end, end + room)) last--;
  return spanOfWords(prose, first, last + 1);
}

/** The index in `chapters` of the chapter that contains this word. */
export function chapterOfWord({ chapters }: BookProse, word: number): number {
  return Math.max(0, countLeading(chapters, ({ firstWord }) => firstWord <= word) - 1);
}
