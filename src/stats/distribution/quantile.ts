/**
 * The value below which a share of the sample lies, interpolated linearly between order statistics: type 7 of Hyndman
 * and Fan (1996), the default of R and numpy.
 *
 * @example
 * ```ts
 * quantile([1, 2, 3, 4], 0.25); // 1.75
 * ```
 */
export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), share);
}

/**
 * Several quantiles of one sample, which is sorted once.
 *
 * @example
 * ```ts
 * quantiles([1, 2, 3, 4, 5], [0, 0.5, 1]); // [1, 3, 5]
 * ```
 */
export function quantiles(values: ArrayLike<number>, shares: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => quantileOfSorted(sorted, share));
}

/**
 * The middle value, or halfway between the two middle ones: less moved by outliers than the mean.
 *
 * @example
 * ```ts
 * median([1, 2, 90]); // 2
 * median([1, 2, 3, 90]); // 2.5
 * ```
 */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/**
 * The width of the middle half of a sample, from the lower quartile to the upper: a spread that outliers hardly move.
 *
 * @example
 * ```ts
 * interquartileRange([1, 2, 3, 4, 90]); // 2
 * ```
 */
export function interquartileRange(values: ArrayLike<number>): number {
  const [lower, upper] = quantiles(values, [0.25, 0.75]);
  return upper! - lower!;
}

function quantileOfSorted(sorted: Float64Array, share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`a quantile's share lies between 0 and 1, not at ${share}`);
  if (sorted.length === 0) throw new RangeError("the quantile of no values is not defined");
  // NaN sorts last, so one look finds any.
  if (Number.isNaN(sorted[sorted.length - 1])) throw new RangeError("a quantile needs numbers, not missing values");
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const lower = sorted[below]!;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return position === below || lower === upper ? lower : lower + (position - below) * (upper - lower);
}
