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

/** A finding before it is known how far its kind can be trusted. Places are offsets into the joined text of the book. */
export interface Suspicion {
  readonly kind: CheckKind;
  /** What was measured on its own where one kind holds several: the age and the eyes of a person. */
  readonly detail?: string;
  readonly title: string;
  readonly claim: string;
  readonly severity: Severity;
  readonly places: readonly Span[];
  readonly advice: string;
}

/** One way of looking at a book that was read once. */
export type Check = (bookProse: BookProse) => Suspicion[];

/** The sentence around a place; of a very long one the words next to the place, since a name alone says nothing. */
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

/** The place in `chapters` of the chapter that holds this word. */
export function chapterOfWord({ chapters }: BookProse, word: number): number {
  return Math.max(0, countLeading(chapters, ({ firstWord }) => firstWord <= word) - 1);
}
