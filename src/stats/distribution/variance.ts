import { mean } from "./mean.ts";
import { sum } from "./sum.ts";

/**
 * The unbiased sample variance (divisor n − 1), as R's `var` and numpy's with `ddof=1`. Needs two values.
 *
 * @example
 * ```ts
 * variance([2, 4, 6]); // 4
 * ```
 */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) throw new RangeError("a sample variance needs at least two values");
  const centre = mean(values);
  const squares = new Float64Array(values.length);
  for (let at = 0; at < values.length; at++) squares[at] = (values[at]! - centre) ** 2;
  return sum(squares) / (values.length - 1);
}

/**
 * How far values typically lie from their mean, in their own unit: the square root of `variance`, so it needs two
 * values as well.
 *
 * @example
 * ```ts
 * standardDeviation([2, 4, 6]); // 2
 * ```
 */
export function standardDeviation(values: ArrayLike<number>): number {
  return Math.sqrt(variance(values));
}
