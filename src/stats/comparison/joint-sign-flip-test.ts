import type { Random } from "../../core/random.ts";

/** What one comparison rests on: the differences of two writers, systems or treatments, one for each shared unit. */
export interface PairedDifferences {
  /** Which unit (novel, item) each difference belongs to: the same number means the same unit in every comparison. */
  readonly units: ArrayLike<number>;
  readonly differences: ArrayLike<number>;
}

export interface SteppedTest {
  /** Two-sided, for this comparison alone. */
  readonly p: number;
  /** Two-sided, corrected for all comparisons of the family. */
  readonly adjusted: number;
}

export interface JointTest {
  readonly tests: readonly SteppedTest[];
  readonly permutations: number;
  readonly exact: boolean;
}

const MAXIMUM_EXACT = 13;
const PERMUTATIONS = 1999;
/** Statistics that are equal on paper may differ in the last bits; they count as equally extreme. */
const ROUNDING = 1e-9;

/**
 * Many paired comparisons over the same units at once: Holm's step-down procedure with the joint permutation distribution
 * in place of Bonferroni's bound (Westfall and Young 1993, algorithm 4.1: step-down max-T). If two writers are equal, the
 * sign of each difference is arbitrary; the signs of a unit are exchanged in all comparisons together, which keeps how the
 * comparisons depend on each other. The family-wise error is controlled in the strong sense. Holm's own bound would need
 * p-values that a permutation of a dozen novels cannot reach once there are hundreds of pairs.
 */
export function jointSignFlipTest(
  comparisons: readonly PairedDifferences[],
  units: number,
  { random, permutations = PERMUTATIONS }: { readonly random: Random; readonly permutations?: number },
): JointTest {
  const exact = units <= MAXIMUM_EXACT;
  const rounds = exact ? 2 ** units : permutations;
  const squares = comparisons.map(({ differences }) => sumOfSquares(differences));
  const statistic = (comparison: number, total: number) =>
    studentised(total, squares[comparison]!, comparisons[comparison]!.differences.length);
  const observed = comparisons.map(({ differences }, index) => statistic(index, totalOf(differences)));
  const order = observed.map((_, index) => index).sort((left, right) => observed[right]! - observed[left]!);
  const alone = new Uint32Array(comparisons.length);
  const joint = new Uint32Array(comparisons.length);
  const signs = new Float64Array(units);
  for (let round = 0; round < rounds; round++) {
    for (let unit = 0; unit < units; unit++) {
      signs[unit] = (exact ? (round >>> unit) & 1 : random() < 0.5) ? -1 : 1;
    }
    let largest = 0;
    for (let step = order.length - 1; step >= 0; step--) {
      const index = order[step]!;
      const value = statistic(index, flippedTotal(comparisons[index]!, signs));
      const threshold = observed[index]! - ROUNDING * Math.max(1, observed[index]!);
      if (value >= threshold) alone[index]!++;
      largest = Math.max(largest, value);
      if (largest >= threshold) joint[index]!++;
    }
  }
  const share = (count: number) => (exact ? count / rounds : (count + 1) / (rounds + 1));
  const adjusted = new Float64Array(comparisons.length);
  let highest = 0;
  for (const index of order) {
    highest = Math.max(highest, share(joint[index]!));
    adjusted[index] = highest;
  }
  return {
    tests: comparisons.map((_, index) => ({ p: share(alone[index]!), adjusted: adjusted[index]! })),
    permutations: rounds,
    exact,
  };
}

/** |t| of the mean, from the total and the sum of squares, which a change of signs leaves alone. */
function studentised(total: number, squares: number, count: number): number {
  if (squares === 0 || count < 2) return 0;
  const share = Math.min(1, (total * total) / (count * squares));
  // Beyond this the differences are all but equal, and t only measures rounding.
  return Math.sqrt(((count - 1) * share) / Math.max(1 - share, 1e-12));
}

function flippedTotal({ units, differences }: PairedDifferences, signs: Float64Array): number {
  let total = 0;
  for (let at = 0; at < differences.length; at++) total += signs[units[at]!]! * differences[at]!;
  return total;
}

function totalOf(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at]!;
  return total;
}

function sumOfSquares(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at]! ** 2;
  return total;
}
