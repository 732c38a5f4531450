import { addCosts } from "../../core/cost.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";
import type { BookEvaluation } from "../evaluation.ts";
import { paragraphsOf, suspectSpans } from "./find-suspicions.ts";

/** Adds the same judge's verdict on the masked book to an evaluation, with the cost of both. */
export function withMasked(evaluation: BookEvaluation, again: BookEvaluation): BookEvaluation {
  return {
    ...evaluation,
    masked: {
      words: Math.max(0, evaluation.book.words - again.book.words),
      overall: again.overall,
      aspects: Object.fromEntries(again.aspects.map(({ id, verdict }) => [id, verdict])),
      ...(again.jury && { jurors: Object.fromEntries(again.jury.jurors.map(({ id, overall }) => [id, overall])) }),
      calls: again.calls,
      cost: again.cost,
    },
    calls: evaluation.calls + again.calls,
    ...addCosts([evaluation, again]),
  };
}

/** Replaces a masked passage. */
const MASK = "[…]";
/** A paragraph up to this length is masked whole; in a longer one, only the sentences around the passage. */
const WHOLE_PARAGRAPH = 1500;
const EXCERPT_MARGIN = 300;
const SENTENCE_END = /[.!?…。！？\n]/;

/** The book with every passage masked that addresses a judge, wherever a judge would be shown it. */
export function maskBook(book: Book): Book {
  const chapters = book.chapters.map((chapter) => {
    const text = maskText(chapter.text);
    return {
      ...chapter,
      title: chapter.title && maskText(chapter.title),
      text,
      words: text === chapter.text ? chapter.words : countWords(text),
    };
  });
  const taken = sumBy(book.chapters, ({ words }) => words) - sumBy(chapters, ({ words }) => words);
  const { title, author, genres, premise } = book;
  return { ...book, ...maskTexts({ title, author, genres, premise }), chapters, words: book.words - taken };
}

/** The same value with every text in it masked, such as an outline or a row of a table. */
export function maskTexts<Value>(value: Value): Value {
  if (typeof value === "string") return maskText(value) as Value;
  if (Array.isArray(value)) return value.map(maskTexts) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskTexts(one)])) as Value;
}

function maskText(text: string): string {
  const paragraphAt = paragraphsOf(text);
  const passages = [...suspectSpans(text)]
    .map(({ start, end }) => passageAround(text, start, end, paragraphAt))
    .sort(([left], [right]) => left - right);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of passages) {
    if (start >= done) parts.push(text.slice(done, start), MASK);
    done = Math.max(done, end);
  }
  return parts.length === 0 ? text : [...parts, text.slice(done)].join("");
}

function passageAround(
  text: string,
  start: number,
  end: number,
  paragraphAt: ReturnType<typeof paragraphsOf>,
): [number, number] {
  const [first] = paragraphAt(start);
  const [, last] = paragraphAt(Math.max(start, end - 1));
  if (last - first <= WHOLE_PARAGRAPH) return [first, last];
  let [low, high] = [Math.max(first, start - EXCERPT_MARGIN), Math.min(last, end + EXCERPT_MARGIN)];
  const [lowest, highest] = [Math.max(first, low - EXCERPT_MARGIN), Math.min(last, high + EXCERPT_MARGIN)];
  while (low > lowest && !SENTENCE_END.test(text[low - 1]!)) low--;
  while (high < highest && !SENTENCE_END.test(text[high - 1]!)) high++;
  return [low, high];
}
