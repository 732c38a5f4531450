import { averageRanks } from "../distribution/ranks.ts";
import { sum } from "../distribution/sum.ts";
import { sumBy } from "../distribution/sum-by.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

/**
 * Kendall's W: how far several raters put the same items in the same order, 0 to 1, corrected for ties. One row per
 * rater, one column per item, nothing missing. Use it when only the order of the items matters and each rater may use
 * the scale differently.
 *
 * @example
 * ```ts
 * kendallConcordance([[1, 2, 3], [10, 20, 30]]); // { value: 1 }
 * kendallConcordance([[1, 2, 3], [3, 2, 1]]); // { value: 0 }
 * ```
 */
export function kendallConcordance(ratings: readonly ArrayLike<number>[]): Statistic {
  const raters = ratings.length;
  const items = ratings[0]?.length ?? 0;
  if (raters < 2 || items < 2) return notDefined("at least two raters and two items are needed");
  if (ratings.some((row) => row.length !== items)) throw new RangeError("every rater must rate every item");
  const sums = new Float64Array(items);
  let ties = 0;
  for (const row of ratings) {
    const ranks = averageRanks(row);
    ranks.forEach((rank, item) => {
      sums[item] = sums[item]! + rank;
    });
    ties += tieCorrection(ranks);
  }
  const expected = (raters * (items + 1)) / 2;
  const spread = sum(sums.map((value) => (value - expected) ** 2));
  const possible = raters ** 2 * (items ** 3 - items) - raters * ties;
  return possible === 0 ? notDefined("every rater gave all items one rating") : defined((12 * spread) / possible);
}

function tieCorrection(ranks: Float64Array): number {
  const groups = new Map<number, number>();
  for (const rank of ranks) groups.set(rank, (groups.get(rank) ?? 0) + 1);
  return sumBy([...groups.values()], (size) => size ** 3 - size);
}
