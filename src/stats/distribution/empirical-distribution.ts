/** How a sample is spread: the share of it at, below or around a value. Built once, asked in logarithmic time. */
export interface EmpiricalDistribution {
  readonly size: number;
  readonly sorted: Float64Array;
  /** The share of the sample at or below the value: the ECDF. */
  atOrBelow(value: number): number;
  below(value: number): number;
  /** 0–100, counting half of the ties, so that the middle of the sample stands at 50 (`percentileofscore`, kind "mean"). */
  percentile(value: number): number;
}

/**
 * Where any value stands in a sample, for example a book's score among those of a reference shelf. Throws for an empty
 * sample and for missing values.
 *
 * @example
 * ```ts
 * const shelf = empiricalDistribution([4, 5, 5, 7]);
 * shelf.atOrBelow(5); // 0.75
 * shelf.percentile(5); // 50
 * ```
 */
export function empiricalDistribution(sample: ArrayLike<number>): EmpiricalDistribution {
  const sorted = Float64Array.from(sample).sort();
  const size = sorted.length;
  if (size === 0) throw new RangeError("the distribution of no values is not defined");
  if (Number.isNaN(sorted[size - 1])) throw new RangeError("a distribution needs numbers, not missing values");
  const atOrBelow = (value: number) => countUpTo(sorted, (entry) => entry <= value) / size;
  const below = (value: number) => countUpTo(sorted, (entry) => entry < value) / size;
  return { size, sorted, atOrBelow, below, percentile: (value) => 50 * (atOrBelow(value) + below(value)) };
}

/** How many leading entries satisfy a condition that, once false, stays false. */
function countUpTo(sorted: Float64Array, holds: (entry: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
