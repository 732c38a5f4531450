import { mean } from "../../stats/distribution/mean.ts";
import { longestCommonPassage, wordingLeak } from "../synopsis/wording-leak.ts";

export interface TextOverlap {
  readonly chapters: number;
  /** Mean share of a written chapter that stands word for word in the original, 0–1. */
  readonly copied: number;
  /** The longest passage that any written chapter shares with its original, in words (characters in Chinese). */
  readonly longest: number;
  readonly passage: string;
}

/**
 * Does a writer remember the novel instead of writing one? It never sees the original, so runs of its wording can only come
 * from memory, from names, or from the synopsis. Null where there is nothing to compare.
 */
export function textOverlap(
  pairs: Iterable<{ readonly written: string; readonly original: string }>,
): TextOverlap | null {
  const shares: number[] = [];
  let longest = { length: 0, text: "" };
  for (const { written, original } of pairs) {
    shares.push(wordingLeak(written, original).share);
    const passage = longestCommonPassage(written, original);
    if (passage.length > longest.length) longest = passage;
  }
  if (shares.length === 0) return null;
  return { chapters: shares.length, copied: mean(shares), longest: longest.length, passage: longest.text };
}
