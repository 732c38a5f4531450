import type { Random } from "../../core/random.ts";
import { mean } from "../distribution.ts";

export interface PermutationTest {
  readonly difference: number;
  /** Two-sided. */
  readonly p: number;
  readonly permutations: number;
  /** Every exchange was tried, so that p is exact. */
  readonly exact: boolean;
}

const MAXIMUM_EXACT = 13;
/** Differences that are equal on paper may differ in the last bits; they count as equally extreme. */
const ROUNDING = 1e-12;

/**
 * Are the values of pairs apart beyond chance? If not, each pair might as well be the other way round. Tries every
 * exchange when there are few pairs, and otherwise as many random ones as asked, counting the observed order as one of
 * them. Checked against `scipy.stats.permutation_test`. Use it for two systems scored on the same items.
 *
 * @example
 * ```ts
 * pairedPermutationTest([5, 6, 7, 8], [4, 5, 6, 7], { random: Math.random });
 * // { difference: 1, p: 0.125, permutations: 16, exact: true }
 * ```
 */
export function pairedPermutationTest(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  options: { readonly random: Random; readonly permutations?: number },
): PermutationTest {
  const differences = Float64Array.from(left, (value, i) => value - right[i]!);
  const signed = (flip: (pair: number) => boolean) => {
    let total = 0;
    for (let pair = 0; pair < differences.length; pair++)
      total += flip(pair) ? -differences[pair]! : differences[pair]!;
    return total / differences.length;
  };
  return exchangeTest(left.length, mean(differences), signed, options);
}

/**
 * The engine of every paired exchange: `difference(flip)` recomputes the statistic with the flagged pairs exchanged, or
 * gives null where it is then undefined.
 */
export function exchangeTest(
  pairs: number,
  observed: number,
  difference: (flip: (pair: number) => boolean) => number | null,
  { random, permutations = 9999 }: { readonly random: Random; readonly permutations?: number },
): PermutationTest {
  const exact = pairs <= MAXIMUM_EXACT;
  const threshold = Math.abs(observed) - ROUNDING * Math.max(1, Math.abs(observed));
  const flips = new Uint8Array(pairs);
  let extreme = 0;
  let tried = 0;
  for (let round = 0; round < (exact ? 2 ** pairs : permutations); round++) {
    for (let pair = 0; pair < pairs; pair++) flips[pair] = exact ? (round >>> pair) & 1 : random() < 0.5 ? 1 : 0;
    const value = difference((pair) => flips[pair] === 1);
    if (value === null) continue;
    tried++;
    if (Math.abs(value) >= threshold) extreme++;
  }
  const p = exact ? extreme / tried : (extreme + 1) / (tried + 1);
  return { difference: observed, p: Math.min(1, p), permutations: tried, exact };
}
