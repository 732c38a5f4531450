import type { ProgressListener } from "../../core/progress.ts";
import { forEachCandidatePair } from "./bands.ts";
import { comparable } from "./comparable.ts";
import { matchingRatio } from "./matching-ratio.ts";
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
 * Pairs of near-duplicates in a corpus. Comparing all pairs letter by letter would take days for ten thousand novels;
 * signatures and bands name the few pairs worth comparing, and only those are.
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
  for (let index = 0; index < count; index++) {
    signatureOf(comparable(textAt(index)), signatures, index * SIGNATURE_BINS);
    if (index % 100 === 0) options.onProgress?.({ stage: "Comparing books", done: index, total: count });
  }
  const seen = new Set<number>();
  const pairs: DuplicatePair[] = [];
  forEachCandidatePair(signatures, count, (one, other) => {
    const [left, right] = one < other ? [one, other] : [other, one];
    const key = left * count + right;
    if (seen.has(key) || estimateJaccard(signatures, left, right) < LEAST_ESTIMATE) return;
    seen.add(key);
    const similarity = matchingRatio(comparable(textAt(left)), comparable(textAt(right)));
    if (similarity >= threshold) pairs.push({ left, right, similarity });
  });
  return pairs.sort((one, other) => one.left - other.left || one.right - other.right);
}
