import type { Random } from "../../core/random.ts";
import { averageRanks, mean, standardDeviation } from "../distribution.ts";
import { notDefined, type Statistic, type UndefinedStatistic } from "../statistic.ts";
import { exchangeTest, type PermutationTest } from "./paired-permutation-test.ts";

/** The common scale two metrics are put on before their values are exchanged: standard scores for Pearson, ranks for the others. */
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
