import { decodings } from "./decodings.ts";
import { SIGNS } from "./signs.ts";

export interface SuspectSpan {
  readonly start: number;
  readonly end: number;
  readonly why: string;
}

/** Characters that no reader sees: a few are typography, many in a row are a message. */
export const HIDDEN =
  /(?:(?:[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff])\s?){6,}/gu;

/** Every place of a text that speaks to a judge, kind by kind; one passage may be named several times. */
export function* suspectSpans(text: string): Generator<SuspectSpan> {
  for (const { index, 0: match } of text.matchAll(HIDDEN))
    yield { start: index, end: index + match.length, why: "hidden characters" };
  for (const { text: readable, at, how } of decodings(text)) {
    for (const { pattern, why } of SIGNS) {
      for (const { index, 0: match } of readable.matchAll(pattern)) {
        const [start, end] = at(index, index + match.length);
        yield { start, end, why: how === null ? why : `${why} (${how})` };
      }
    }
  }
}
