import { type Random, seededRandom } from "../../core/random.ts";
import { holmCorrection } from "../comparison/multiple-comparison.ts";
import { correlationPermutationTest, williamsTest } from "../comparison/significance-tests.ts";
import { kendallTau, pearson } from "../correlation.ts";
import { isPresent } from "../statistic.ts";

export interface NamedScores {
  readonly name: string;
  readonly scores: Float64Array;
}

/** A test of one pair of metrics; `adjusted` has Holm's correction for all pairs of the comparison. */
export type TestResult =
  | {
      readonly difference: number;
      readonly p: number;
      readonly adjusted: number;
      /** No permutation was as extreme as the observation: p is an upper bound. */
      readonly atMost?: true;
    }
  | { readonly difference: null; readonly reason: string };

export interface MetricComparison {
  readonly first: string;
  readonly second: string;
  /** Points that have a rating and both scores. */
  readonly n: number;
  /** Williams' test on Pearson's correlation. */
  readonly williams: TestResult;
  /** A permutation test on Kendall's τ. */
  readonly permutation: TestResult;
}

export interface CompareOptions {
  readonly seed: number;
  readonly permutations: number;
  readonly onPair?: (done: number, total: number) => void;
}

/**
 * With more metrics than this, each is compared only with the best, because a table of all pairs would be unreadable.
 */
const MOST_FOR_ALL_PAIRS = 12;

/**
 * Which metrics agree better with people than which others, beyond chance. p-values are corrected for the number of
 * pairs.
 *
 * @example
 * ```ts
 * const human = Float64Array.of(1, 2, 3, 4, 5);
 * const close = { name: "close", scores: Float64Array.of(1, 2, 3, 5, 4) };
 * const loose = { name: "loose", scores: Float64Array.of(3, 1, 5, 2, 4) };
 * compareMetrics(human, [close, loose], { seed: 1, permutations: 2000 })[0]?.permutation;
 * // difference about 0.6, p 0.25: five items are too few to tell
 * ```
 */
export function compareMetrics(
  human: Float64Array,
  metrics: readonly NamedScores[],
  options: CompareOptions,
): MetricComparison[] {
  const random = seededRandom(options.seed);
  const pairs = pairsToCompare(human, metrics);
  const raw = pairs.map(([first, second], index) => {
    options.onPair?.(index, pairs.length);
    return testPair(human, first, second, random, options.permutations);
  });
  const williams = adjusted(raw.map((pair) => pair.williams));
  const permutation = adjusted(raw.map((pair) => pair.permutation));
  return raw.map(({ first, second, n }, index) => ({
    first,
    second,
    n,
    williams: williams[index]!,
    permutation: permutation[index]!,
  }));
}

function pairsToCompare(human: Float64Array, metrics: readonly NamedScores[]): [NamedScores, NamedScores][] {
  if (metrics.length <= MOST_FOR_ALL_PAIRS) {
    return metrics.flatMap((first, index) =>
      metrics.slice(index + 1).map((second): [NamedScores, NamedScores] => [first, second]),
    );
  }
  const agreement = ({ scores }: NamedScores) => {
    const [ratings, values] = complete(human, scores);
    return kendallTau(ratings!, values!).value ?? Number.NEGATIVE_INFINITY;
  };
  const best = metrics.reduce((leader, metric) => (agreement(metric) > agreement(leader) ? metric : leader));
  return metrics.filter((metric) => metric !== best).map((metric) => [best, metric]);
}

type Untested =
  | { readonly difference: number; readonly p: number; readonly atMost?: true }
  | { readonly difference: null; readonly reason: string };

function testPair(
  human: Float64Array,
  first: NamedScores,
  second: NamedScores,
  random: Random,
  permutations: number,
): { first: string; second: string; n: number; williams: Untested; permutation: Untested } {
  const [ratings, left, right] = complete(human, first.scores, second.scores);
  const permuted = correlationPermutationTest(ratings!, left!, right!, kendallTau, {
    random,
    scale: "ranks",
    permutations,
  });
  return {
    first: first.name,
    second: second.name,
    n: ratings!.length,
    williams: williamsOf(ratings!, left!, right!),
    permutation:
      "p" in permuted
        ? {
            difference: permuted.difference,
            p: permuted.p,
            ...(!permuted.exact && permuted.p <= 1 / (permuted.permutations + 1) && { atMost: true as const }),
          }
        : { difference: null, reason: permuted.reason },
  };
}

function williamsOf(human: Float64Array, left: Float64Array, right: Float64Array): Untested {
  const first = pearson(human, left);
  const second = pearson(human, right);
  const between = pearson(left, right);
  if (first.value === null) return { difference: null, reason: first.reason };
  if (second.value === null) return { difference: null, reason: second.reason };
  if (between.value === null) return { difference: null, reason: between.reason };
  const test = williamsTest({ first: first.value, second: second.value, between: between.value, n: human.length });
  if (!("p" in test)) return { difference: null, reason: test.reason };
  return { difference: first.value - second.value, p: test.p };
}

function adjusted(tests: readonly Untested[]): TestResult[] {
  const found = tests.filter((test) => test.difference !== null);
  const corrected = holmCorrection(found.map((test) => test.p));
  return tests.map((test) =>
    test.difference === null ? test : { ...test, adjusted: corrected[found.indexOf(test)]! },
  );
}

/** The columns without rows that have a gap in any of them. */
function complete(...columns: readonly Float64Array[]): Float64Array[] {
  const kept = Array.from(columns[0]!, (_, row) => row).filter((row) =>
    columns.every((column) => isPresent(column[row])),
  );
  return columns.map((column) => Float64Array.from(kept, (row) => column[row]!));
}
