/**
 * Adds numbers up without the usual loss of digits. Neumaier's compensated sum. Averages that are equal on paper come
 * out equal in binary far more often than with a running total, which matters wherever ties decide a rank correlation.
 *
 * @example
 * ```ts
 * sum([1, 1e100, 1, -1e100]); // 2, where a running total gives 0
 * ```
 */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  // An infinite total makes the compensation NaN; the total itself is the honest answer then.
  return Number.isFinite(total) ? total + lost : total;
}
