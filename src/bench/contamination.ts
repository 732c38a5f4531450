import { cautiousWelchTest } from "../stats/comparison/significance-tests.ts";
import { mean } from "../stats/distribution.ts";
import { meanInterval, studentInterval } from "../stats/special/student-t.ts";
import { wordingOf } from "./synopsis.ts";
import { novelDifference } from "./writers/compare-writers.ts";
import type { PlacedNovel } from "./writers/placed-novels.ts";

/** How much higher a writer scores on novels it may remember than on others. */
export interface SplitDifference {
  readonly difference: number;
  /** 95 %; null with too few novels. */
  readonly interval: readonly [number, number] | null;
  /** How many novels are on each side: those that the writer may remember, and the others. */
  readonly novels: readonly [number, number];
}

/** Compares novels published up to the model's cut-off with later ones; null unless there are both. */
export function cutOffSplit(
  novels: readonly PlacedNovel[],
  yearOf: (novel: string) => number | null,
  cutOff: number,
): SplitDifference | null {
  const composites = (isBefore: boolean) =>
    novels.flatMap(({ novel, composite }) => {
      const year = yearOf(novel);
      return year !== null && year <= cutOff === isBefore ? [composite] : [];
    });
  const [before, after] = [composites(true), composites(false)];
  if (before.length === 0 || after.length === 0) return null;
  const test = cautiousWelchTest(before, after);
  const difference = mean(before) - mean(after);
  return {
    difference,
    interval: "p" in test ? studentInterval(difference, test.standardError, test.degreesOfFreedom) : null,
    novels: [before.length, after.length],
  };
}

/**
 * Compares the same novels with their own and with changed names, novel by novel; null if none was written both ways.
 */
export function renamedDifference(
  own: readonly PlacedNovel[],
  renamed: readonly PlacedNovel[],
): SplitDifference | null {
  const others = new Map(renamed.map((novel) => [novel.novel, novel]));
  const differences = own.flatMap((novel) => {
    const other = others.get(novel.novel);
    return (other && novelDifference(novel, other)) ?? [];
  });
  if (differences.length === 0) return null;
  return {
    difference: mean(differences),
    interval: meanInterval(differences),
    novels: [differences.length, differences.length],
  };
}

export interface TextOverlap {
  readonly chapters: number;
  /** Mean share of a written chapter that is copied verbatim from the original, 0–1. */
  readonly copied: number;
  /** The longest passage that any written chapter shares with its original, in words (characters in Chinese). */
  readonly longest: number;
  readonly passage: string;
}

/** An original chapter and the chapters that writers wrote from its synopsis. */
export interface WrittenFromOriginal {
  readonly original: string;
  readonly texts: Iterable<{ readonly writer: string; readonly text: string }>;
}

/**
 * Whether a writer remembers the novel instead of writing one. It never sees the original, so shared passages can
 * only come from memory, from names, or from the synopsis. Every original is read once for all writers; a writer
 * whose texts have no originals is not in the result.
 */
export async function textOverlaps(
  pairs: Iterable<WrittenFromOriginal> | AsyncIterable<WrittenFromOriginal>,
): Promise<Map<string, TextOverlap>> {
  const found = new Map<string, { shares: number[]; longest: { readonly length: number; readonly text: string } }>();
  for await (const { original, texts } of pairs) {
    const wording = wordingOf(original);
    for (const { writer, text } of texts) {
      const own = found.get(writer) ?? { shares: [], longest: { length: 0, text: "" } };
      found.set(writer, own);
      own.shares.push(wording.leakInto(text).share);
      const passage = wording.longestIn(text);
      if (passage.length > own.longest.length) own.longest = passage;
    }
  }
  return new Map(
    [...found].map(([writer, { shares, longest }]) => [
      writer,
      { chapters: shares.length, copied: mean(shares), longest: longest.length, passage: longest.text },
    ]),
  );
}
