import type { Chapter } from "../../text/book.ts";
import type { Suspicion } from "../evaluation.ts";
import { decodings } from "./decodings.ts";
import { SIGNS } from "./signs.ts";

const SHOWN_CHARACTERS = 160;
const MOST = 50;
/** Characters that no reader sees: a few are typography, many in a row are a message. */
const HIDDEN =
  /(?:(?:[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff])\s?){6,}/gu;

/**
 * Passages that speak to a judge instead of a reader: orders to a model, forged verdicts, marks of chat templates, hidden
 * or encoded text. They change nothing (fences and the reply's schema see to that); the report names them.
 */
export function findSuspicions(chapters: readonly Chapter[]): Suspicion[] {
  const found: Suspicion[] = [];
  for (const { index, text } of chapters) {
    const seen = new Set<number>();
    const add = (start: number, end: number, why: string) => {
      // One passage is named once, for the first reason found.
      const paragraph = text.lastIndexOf("\n\n", start);
      if (found.length >= MOST || seen.has(paragraph)) return;
      seen.add(paragraph);
      const from = Math.max(paragraph + 2, start - 40, 0);
      const to = Math.min(text.length, Math.max(end, from + 1), from + SHOWN_CHARACTERS);
      found.push({
        chapter: index,
        start: from,
        end: to,
        quote: text.slice(from, to).replace(HIDDEN, "�").trim(),
        why,
      });
    };
    for (const match of text.matchAll(HIDDEN)) add(match.index, match.index + match[0].length, "hidden characters");
    for (const { text: readable, at, how } of decodings(text)) {
      for (const { pattern, why } of SIGNS) {
        for (const match of readable.matchAll(pattern)) {
          const [start, end] = at(match.index, match.index + match[0].length);
          add(start, end, how === null ? why : `${why} (${how})`);
        }
      }
    }
  }
  return found.sort((left, right) => left.chapter - right.chapter || left.start - right.start);
}
