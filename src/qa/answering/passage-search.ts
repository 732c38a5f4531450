import { sum } from "../../stats/distribution/sum.ts";
import { porterStem } from "../metrics/meteor/porter-stem.ts";
import type { Passage } from "./passages.ts";

/** Okapi BM25 as commonly set: how soon a repeated word stops counting, and how much a long passage is held back. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** The passages that fit a question best, in the order of the book. */
export type PassageSearch = (question: string, count: number) => Passage[];

/**
 * Prepares a search over a book's passages; the result takes a question and how many passages to return, in the order
 * of the book. BM25 (Robertson and Zaragoza, 2009) over word stems. It runs on nothing but the text, so an answer can
 * be traced to the passages it came from on any machine. Words that stand in most passages ("the", "he") weigh next to
 * nothing by the formula itself; no list of stop words is needed.
 *
 * @example
 * ```ts
 * const find = searchPassages(passagesOf(book));
 * for (const { chapter, text } of find("Who rings the bell?", 5)) console.log(chapter, text);
 * ```
 */
export function searchPassages(passages: readonly Passage[]): PassageSearch {
  const postings = new Map<string, { passage: number; count: number }[]>();
  const lengths = passages.map(({ text }, passage) => {
    const terms = termsOf(text);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list) list.push({ passage, count });
      else postings.set(term, [{ passage, count }]);
    }
    return terms.length;
  });
  const averageLength = sum(lengths) / Math.max(1, lengths.length);

  return (question, count) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(question))) {
      const list = postings.get(term) ?? [];
      const rarity = Math.log(1 + (passages.length - list.length + 0.5) / (list.length + 0.5));
      for (const { passage, count: found } of list) {
        const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * lengths[passage]!) / averageLength;
        const weight = (found * (SATURATION + 1)) / (found + SATURATION * length);
        scores.set(passage, (scores.get(passage) ?? 0) + rarity * weight);
      }
    }
    return [...scores]
      .sort(([leftPassage, left], [rightPassage, right]) => right - left || leftPassage - rightPassage)
      .slice(0, count)
      .map(([passage]) => passage)
      .sort((left, right) => left - right)
      .map((passage) => passages[passage]!);
  };
}

function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(porterStem);
}
