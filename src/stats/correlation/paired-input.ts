import { requireEqualLengths } from "../complete-pairs.ts";
import { notDefined, type UndefinedStatistic } from "../statistic.ts";

/** Why two columns have no correlation at all, or null when they do. Every correlation asks here first. */
export function whyUncorrelatable(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  { finite }: { readonly finite: boolean },
): UndefinedStatistic | null {
  requireEqualLengths(left, right);
  if (left.length < 2) return notDefined("a correlation needs at least two pairs");
  for (const column of [left, right]) {
    const name = column === left ? "first" : "second";
    const spread = spreadOf(column);
    if (spread.missing) return notDefined(`the ${name} column holds missing values: leave those pairs out first`);
    if (finite && !Number.isFinite(spread.highest - spread.lowest)) {
      return notDefined(`the ${name} column holds infinite values`);
    }
    if (spread.lowest === spread.highest) return notDefined(`the ${name} column is constant`);
  }
  return null;
}

function spreadOf(column: ArrayLike<number>): { lowest: number; highest: number; missing: boolean } {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let missing = false;
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
    if (Number.isNaN(value)) missing = true;
  }
  return { lowest, highest, missing };
}
