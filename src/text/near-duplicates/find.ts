import type { ProgressListener } from "../../core/progress.ts";
import { forEachCandidatePair } from "./bands.ts";
import { ClosestEarlier } from "./closest.ts";
import { comparable } from "./comparable.ts";
import { largestRatio, matchingRatio } from "./matching-ratio.ts";
import { estimateJaccard, SIGNATURE_BINS, signatureOf } from "./signature.ts";

export interface DuplicatePair {
  /** Positions in the corpus, the earlier first. */
  readonly left: number;
  readonly right: number;
  /** The share of matching text, 0–1. */
  readonly similarity: number;
}

export interface DuplicateOptions {
  /** Pairs at least this similar are reported. WebNovelBench's value is 0.9. */
  readonly threshold?: number;
  readonly onProgress?: ProgressListener;
}

/**
 * Below this estimate two texts cannot be near-duplicates: with every tenth letter changed they still share a quarter of
 * their shingles, and the estimate's error is a fortieth.
 */
const LEAST_ESTIMATE = 0.1;

/**
 * A text is compared letter by letter with at most this many earlier ones, those it resembles most. Of a larger family of
 * copies not every pair is reported, but each copy with its closest.
 */
const MOST_COMPARED = 8;

/**
 * Pairs of near-duplicates in a corpus. Comparing all pairs letter by letter would take days for ten thousand novels;
 * signatures and bands name the few pairs worth comparing, and only those are. The work grows with the number of texts, also
 * where all of them are alike: each is compared with the eight earlier ones that it resembles most.
 *
 * @example
 * ```ts
 * const pairs = findNearDuplicates(texts.length, (index) => texts[index] ?? "", { threshold: 0.9 });
 * for (const { left, right, similarity } of pairs) console.log(left, right, similarity);
 * ```
 */
export function findNearDuplicates(
  count: number,
  textAt: (index: number) => string,
  options: DuplicateOptions = {},
): DuplicatePair[] {
  const threshold = options.threshold ?? 0.9;
  const signatures = new Uint32Array(count * SIGNATURE_BINS);
  const lengths = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const text = comparable(textAt(index));
    lengths[index] = text.length;
    signatureOf(text, signatures, index * SIGNATURE_BINS);
    if (index % 100 === 0) options.onProgress?.({ stage: "Comparing books", done: index, total: count });
  }
  const closest = new ClosestEarlier(MOST_COMPARED);
  forEachCandidatePair(signatures, count, (one, other) => {
    const [left, right] = one < other ? [one, other] : [other, one];
    if (largestRatio(lengths[left]!, lengths[right]!) < threshold || closest.has(right, left)) return;
    const estimate = estimateJaccard(signatures, left, right);
    if (estimate >= LEAST_ESTIMATE) closest.add(right, { earlier: left, estimate });
  });
  const pairs: DuplicatePair[] = [];
  for (const [right, resemblances] of closest) {
    const text = comparable(textAt(right));
    for (const { earlier: left } of resemblances) {
      const similarity = matchingRatio(comparable(textAt(left)), text, threshold);
      if (similarity >= threshold) pairs.push({ left, right, similarity });
    }
  }
  return pairs.sort((one, other) => one.left - other.left || one.right - other.right);
}
