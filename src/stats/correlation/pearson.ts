import { mean } from "../distribution/mean.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";
import { whyUncorrelatable } from "./paired-input.ts";

/** Below this share of the mean, a column's spread is rounding noise and correlates with whatever noise it meets. */
const ROUNDING = 1e-13;

/**
 * Pearson's product-moment correlation, centred before it is multiplied. Checked against `scipy.stats.pearsonr`.
 * Undefined for fewer than two pairs, a constant column (also one that is constant but for rounding), or missing
 * values.
 *
 * @example
 * ```ts
 * pearson([1, 2, 3, 4], [1, 3, 2, 4]); // about { value: 0.8 }
 * pearson([1, 2], [5, 5]); // { value: null, reason: "the second column is constant" }
 * ```
 */
export function pearson(left: ArrayLike<number>, right: ArrayLike<number>): Statistic {
  const obstacle = whyUncorrelatable(left, right, { finite: true });
  if (obstacle) return obstacle;
  const leftMean = mean(left);
  const rightMean = mean(right);
  let leftSquares = 0;
  let rightSquares = 0;
  let products = 0;
  for (let i = 0; i < left.length; i++) {
    const leftOffset = left[i]! - leftMean;
    const rightOffset = right[i]! - rightMean;
    leftSquares += leftOffset * leftOffset;
    rightSquares += rightOffset * rightOffset;
    products += leftOffset * rightOffset;
  }
  const leftNorm = Math.sqrt(leftSquares);
  const rightNorm = Math.sqrt(rightSquares);
  if (leftNorm <= ROUNDING * Math.abs(leftMean)) return notDefined("the first column is constant but for rounding");
  if (rightNorm <= ROUNDING * Math.abs(rightMean)) return notDefined("the second column is constant but for rounding");
  return defined(Math.max(-1, Math.min(1, products / leftNorm / rightNorm)));
}
