import type { Random } from "../../core/random.ts";
import { averageRanks, mean, standardDeviation, variance } from "../distribution.ts";
import { normalQuantile } from "../special/normal.ts";
import { studentTwoSided } from "../special/student-t.ts";
import { notDefined, type Statistic, type UndefinedStatistic } from "../statistic.ts";

/**
 * The two-sided sign test: how often a fair coin would come down on one side at least as often as the more frequent of two
 * counts. Ties are left out by the caller. As `scipy.stats.binomtest(wins, wins + losses)`.
 *
 * @example
 * ```ts
 * signTest(6, 0); // 0.03125
 * signTest(4, 2); // 0.6875: chance
 * ```
 */
export function signTest(wins: number, losses: number): number {
  const trials = wins + losses;
  let tail = 0;
  let probability = 0.5 ** trials;
  for (let fewer = 0; fewer <= Math.min(wins, losses); fewer++) {
    tail += probability;
    probability *= (trials - fewer) / (fewer + 1);
  }
  return Math.min(1, 2 * tail);
}

interface WelchTest {
  readonly difference: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * The same with the degrees of freedom of the smaller sample, which keeps its level for any variances and sizes. Two
 * or three values may be close together by chance; Welch's own degrees then follow the large sample, as if the small
 * one were known exactly, and a fifth of the families of such tests finds a difference that does not exist.
 */
export function cautiousWelchTest(left: ArrayLike<number>, right: ArrayLike<number>): WelchTest | UndefinedStatistic {
  const test = welchTest(left, right);
  if (!("p" in test)) return test;
  const degreesOfFreedom = Math.min(left.length, right.length) - 1;
  return { ...test, degreesOfFreedom, p: studentTwoSided(test.difference / test.standardError, degreesOfFreedom) };
}

/** Do two independent samples differ in their means, whatever their variances (Welch 1947)? As R's `t.test`. */
export function welchTest(left: ArrayLike<number>, right: ArrayLike<number>): WelchTest | UndefinedStatistic {
  if (left.length < 2 || right.length < 2) return notDefined("Welch's test needs two values on each side");
  const [one, other] = [variance(left) / left.length, variance(right) / right.length];
  const difference = mean(left) - mean(right);
  const square = one + other;
  if (square === 0) return notDefined("neither side varies");
  const degreesOfFreedom = square ** 2 / (one ** 2 / (left.length - 1) + other ** 2 / (right.length - 1));
  const standardError = Math.sqrt(square);
  return {
    difference,
    standardError,
    degreesOfFreedom,
    p: studentTwoSided(difference / standardError, degreesOfFreedom),
  };
}

/**
 * How many shared units are needed to detect a mean difference of a given size with a two-sided paired test: the
 * normal approximation with Guenther's correction for Student's t (1981). Within one unit of R's `power.t.test(type =
 * "paired")`.
 */
export function pairedSampleSize({
  difference,
  deviation,
  power = 0.8,
  significance = 0.05,
}: {
  readonly difference: number;
  /** Standard deviation of the paired differences, from a pilot. */
  readonly deviation: number;
  readonly power?: number;
  readonly significance?: number;
}): number {
  if (!(difference > 0)) throw new RangeError(`a difference to be told must be above 0, not ${difference}`);
  const tail = normalQuantile(1 - significance / 2);
  const ratio = deviation / difference;
  return Math.max(2, Math.ceil((tail + normalQuantile(power)) ** 2 * ratio ** 2 + tail ** 2 / 2));
}

export interface PermutationTest {
  readonly difference: number;
  /** Two-sided. */
  readonly p: number;
  readonly permutations: number;
  /** Whether every exchange was tried, so that p is exact. */
  readonly exact: boolean;
}

const MAXIMUM_EXACT = 13;
/** Differences that are mathematically equal may differ in the last bits; they count as equally extreme. */
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
 * The basis of all tests by paired exchanges: `difference(flip)` recomputes the statistic with the flagged pairs
 * exchanged, or returns null if it is then undefined.
 */
function exchangeTest(
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

export interface WilliamsTest {
  readonly t: number;
  readonly degreesOfFreedom: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Williams' test (1959) of two correlations that share a variable: does `first` correlate with the human ratings more
 * than `second`, given how the two correlate with each other? The form that Steiger (1980) recommends and the machine
 * translation metrics tasks use. Meant for Pearson's correlation. Checked against R's `psych::r.test`.
 *
 * @example
 * ```ts
 * const test = williamsTest({ first: 0.8, second: 0.6, between: 0.5, n: 50 });
 * if ("p" in test) console.log(test.p); // about 0.024
 * ```
 */
export function williamsTest(correlations: {
  readonly first: number;
  readonly second: number;
  readonly between: number;
  readonly n: number;
}): WilliamsTest | UndefinedStatistic {
  const { first, second, between, n } = correlations;
  if (n < 4) return notDefined("Williams' test needs at least four items");
  if (between >= 1) return notDefined("the two metrics are one and the same");
  const determinant = 1 - first ** 2 - second ** 2 - between ** 2 + 2 * first * second * between;
  const average = (first + second) / 2;
  const noise = (2 * determinant * (n - 1)) / (n - 3) + average ** 2 * (1 - between) ** 3;
  if (!(noise > 0)) return notDefined("the three correlations leave nothing unexplained");
  const t = (first - second) * Math.sqrt(((n - 1) * (1 + between)) / noise);
  return { t, degreesOfFreedom: n - 3, p: studentTwoSided(t, n - 3) };
}

/**
 * The common scale of two metrics before their values are exchanged: standard scores for Pearson, ranks for the
 * others.
 */
export type CommonScale = "standard-scores" | "ranks";

/**
 * Does one metric agree better with people than another? If both did equally well, their values for an item could be
 * exchanged (the PERM test of Deutsch, Dror and Roth, 2021). Two-sided; undefined when either correlation is. Any
 * correlation of this package can be passed in. Up to 13 items every exchange is tried, and p is exact.
 *
 * @example
 * ```ts
 * const [human, first, second] = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [2, 1, 5, 4, 3]];
 * correlationPermutationTest(human, first, second, spearman, { random: Math.random, scale: "ranks" });
 * // difference about 0.5, p 0.125: all 32 exchanges were tried
 * ```
 */
export function correlationPermutationTest(
  human: ArrayLike<number>,
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  correlation: (left: ArrayLike<number>, right: ArrayLike<number>) => Statistic,
  options: { readonly random: Random; readonly scale: CommonScale; readonly permutations?: number },
): PermutationTest | UndefinedStatistic {
  const agreements = [correlation(human, first), correlation(human, second)];
  for (const agreement of agreements) if (agreement.value === null) return notDefined(agreement.reason);
  const a = onScale(first, options.scale);
  const b = onScale(second, options.scale);
  const exchangedA = new Float64Array(a.length);
  const exchangedB = new Float64Array(a.length);
  return exchangeTest(
    a.length,
    agreements[0]!.value! - agreements[1]!.value!,
    (flip) => {
      for (let i = 0; i < a.length; i++) {
        const turned = flip(i);
        exchangedA[i] = turned ? b[i]! : a[i]!;
        exchangedB[i] = turned ? a[i]! : b[i]!;
      }
      const left = correlation(human, exchangedA).value;
      const right = correlation(human, exchangedB).value;
      return left === null || right === null ? null : left - right;
    },
    options,
  );
}

function onScale(values: ArrayLike<number>, scale: CommonScale): Float64Array {
  switch (scale) {
    case "ranks":
      return averageRanks(values);
    case "standard-scores": {
      const centre = mean(values);
      const spread = standardDeviation(values);
      return Float64Array.from(values, (value) => (value - centre) / spread);
    }
    default:
      return scale satisfies never;
  }
}
