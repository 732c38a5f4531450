import { sum } from "./sum.ts";

/**
 * The arithmetic mean. A mean of nothing, or of something that is not a finite number, is the caller's mistake.
 *
 * @example
 * ```ts
 * mean([2, 4, 9]); // 5
 * ```
 */
export function mean(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError("the mean of no values is not defined");
  const result = sum(values) / values.length;
  if (!Number.isFinite(result)) throw new RangeError("the mean needs finite numbers");
  return result;
}
