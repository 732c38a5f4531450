import { countLeading } from "../core/count-leading.ts";
import { normalQuantile } from "./special/normal.ts";

/**
 * The distribution of a sample: the share of it at, below or around a value. Built once, queried in logarithmic time.
 */
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
  const atOrBelow = (value: number) => countLeading(sorted, (entry) => entry <= value) / size;
  const below = (value: number) => countLeading(sorted, (entry) => entry < value) / size;
  return { size, sorted, atOrBelow, below, percentile: (value) => 50 * (atOrBelow(value) + below(value)) };
}

/** The lowest and the highest value. Not `Math.min(...values)`, which runs out of stack on a long list. */
export function extent(values: Iterable<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

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
  // An infinite total makes the compensation NaN; the total itself is then the right answer.
  return Number.isFinite(total) ? total + lost : total;
}

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

/** A mean that will be ranked: mathematically equal means may differ in the last bit, and must tie. */
export function rankableMean(values: ArrayLike<number>): number {
  return Number(mean(values).toPrecision(12));
}

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

/**
 * A smooth curve of where the values of a sample lie, for plots. A Gaussian kernel density estimate with Scott's
 * bandwidth (n^(−1/5) standard deviations), as `scipy.stats.gaussian_kde`. A constant sample has no bandwidth of its
 * own: give one, or get `null`.
 *
 * @example
 * ```ts
 * const density = kernelDensity([4, 5, 5, 7]);
 * density?.(5); // about 0.281: the height of the curve at 5
 * kernelDensity([5, 5, 5]); // null
 * ```
 */
export function kernelDensity(
  sample: ArrayLike<number>,
  options: { readonly bandwidth?: number } = {},
): ((value: number) => number) | null {
  const bandwidth = options.bandwidth ?? scottBandwidth(sample);
  if (!(bandwidth > 0)) return null;
  const scale = 1 / (sample.length * bandwidth * Math.sqrt(2 * Math.PI));
  return (value) => {
    let total = 0;
    for (let i = 0; i < sample.length; i++) total += Math.exp(-0.5 * ((value - sample[i]!) / bandwidth) ** 2);
    return total * scale;
  };
}

function scottBandwidth(sample: ArrayLike<number>): number {
  return sample.length < 2 ? 0 : standardDeviation(sample) * sample.length ** -0.2;
}

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
  // NaN sorts last, so checking the last value finds any.
  if (Number.isNaN(sorted[sorted.length - 1])) throw new RangeError("a quantile needs numbers, not missing values");
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const lower = sorted[below]!;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return position === below || lower === upper ? lower : lower + (position - below) * (upper - lower);
}

const SMALL = 3000;
const DIGIT_BITS = 12;
const BUCKETS = 1 << DIGIT_BITS;
const SHORT_RUN = 24;

/**
 * The positions of the values in ascending order, equal values in order of appearance. Large inputs go through a radix
 * sort over the upper half of each number's bits, passing over digits that all values share, and the few neighbours
 * that differ in the lower half alone are settled one by one: a million grades on a five-point scale sort in a single
 * pass.
 *
 * @example
 * ```ts
 * sortedOrder([30, 10, 20]); // Uint32Array [1, 2, 0]
 * ```
 */
export function sortedOrder(values: ArrayLike<number>): Uint32Array {
  if (values.length >= SMALL) return radixOrder(values);
  return ascendingFrom0(values.length).sort((a, b) => compare(values[a]!, values[b]!) || a - b);
}

function radixOrder(values: ArrayLike<number>): Uint32Array {
  const { high, low, highVaries, lowVaries } = sortableBits(values);
  let source: Keys = { high, order: ascendingFrom0(values.length) };
  let target: Keys = { high: new Uint32Array(values.length), order: new Uint32Array(values.length) };
  for (let shift = trailingZeros(highVaries); shift < 32; shift += DIGIT_BITS) {
    if (((highVaries >>> shift) & (BUCKETS - 1)) === 0) continue;
    distribute(source, target, shift);
    [source, target] = [target, source];
  }
  if (lowVaries !== 0) settleRuns(source.high, source.order, low);
  return source.order;
}

interface Keys {
  readonly high: Uint32Array;
  readonly order: Uint32Array;
}

function distribute(source: Keys, target: Keys, shift: number): void {
  const { high, order } = source;
  const { high: toHigh, order: toOrder } = target;
  const next = new Int32Array(BUCKETS + 1);
  for (let i = 0; i < high.length; i++) next[((high[i]! >>> shift) & (BUCKETS - 1)) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) next[bucket + 1] = next[bucket + 1]! + next[bucket]!;
  for (let i = 0; i < high.length; i++) {
    const key = high[i]!;
    const place = next[(key >>> shift) & (BUCKETS - 1)]!++;
    toHigh[place] = key;
    toOrder[place] = order[i]!;
  }
}

/** Sorts neighbours with the same upper bits by their lower bits; the sort so far was stable, and so is this. */
function settleRuns(high: Uint32Array, order: Uint32Array, low: Uint32Array): void {
  for (let start = 0; start < high.length; ) {
    let end = start + 1;
    while (end < high.length && high[end] === high[start]) end++;
    if (end - start > SHORT_RUN) {
      order.subarray(start, end).sort((a, b) => compare(low[a]!, low[b]!) || a - b);
    } else {
      for (let i = start + 1; i < end; i++) {
        const position = order[i]!;
        const key = low[position]!;
        let place = i;
        for (; place > start && low[order[place - 1]!]! > key; place--) order[place] = order[place - 1]!;
        order[place] = position;
      }
    }
    start = end;
  }
}

/** The bits of each double, changed so that they order as unsigned integers the way the numbers do; −0 becomes 0. */
function sortableBits(values: ArrayLike<number>) {
  const n = values.length;
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  const cell = new Float64Array(1);
  const words = new Uint32Array(cell.buffer);
  cell[0] = 1;
  const top = words[1] === 0 ? 0 : 1;
  let lowVaries = 0;
  let highVaries = 0;
  for (let i = 0; i < n; i++) {
    cell[0] = values[i]! + 0;
    const upper = words[top]!;
    const flip = upper >> 31;
    high[i] = upper ^ (flip | 0x80000000);
    low[i] = words[1 - top]! ^ flip;
    highVaries |= high[i]! ^ high[0]!;
    lowVaries |= low[i]! ^ low[0]!;
  }
  return { high, low, highVaries, lowVaries };
}

function compare(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** 32 if no bit is set. */
function trailingZeros(bits: number): number {
  return bits === 0 ? 32 : 31 - Math.clz32(bits & -bits);
}

function ascendingFrom0(length: number): Uint32Array {
  const positions = new Uint32Array(length);
  for (let i = 0; i < length; i++) positions[i] = i;
  return positions;
}

/**
 * Ranks from 1, ties sharing the average of the places they take up: `scipy.stats.rankdata`.
 *
 * @example
 * ```ts
 * averageRanks([30, 10, 30, 20]); // Float64Array [3.5, 1, 3.5, 2]
 * ```
 */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  return averageRanksOf(denseRanks(values));
}

export interface DenseRanks {
  /** From 0; equal values share a rank and no rank is skipped. */
  readonly ranks: Uint32Array;
  readonly distinct: number;
  /** The positions in ascending order of value. */
  readonly order: Uint32Array;
}

/**
 * Replaces values by their places in the order, from 0, and gives that order too: what `countPairs` takes.
 *
 * @example
 * ```ts
 * denseRanks([30, 10, 30, 20]).ranks; // Uint32Array [2, 0, 2, 1]
 * ```
 */
export function denseRanks(values: ArrayLike<number>): DenseRanks {
  const order = sortedOrder(values);
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  let previous = values[order[0] ?? 0];
  for (let place = 1; place < order.length; place++) {
    const position = order[place]!;
    const value = values[position];
    if (value !== previous) rank++;
    ranks[position] = rank;
    previous = value;
  }
  return { ranks, distinct: values.length === 0 ? 0 : rank + 1, order };
}

/** The dense ranks of a resample, in linear time, since resampling never changes the order of values. */
export function resampledRanks({ ranks, distinct }: DenseRanks, positions: ArrayLike<number>): DenseRanks {
  const starts = new Uint32Array(distinct + 1);
  for (let i = 0; i < positions.length; i++) starts[ranks[positions[i]!]! + 1]!++;
  const compact = new Uint32Array(distinct);
  let present = 0;
  for (let rank = 0; rank < distinct; rank++) {
    if (starts[rank + 1]! > 0) compact[rank] = present++;
    starts[rank + 1] = starts[rank + 1]! + starts[rank]!;
  }
  const drawn = new Uint32Array(positions.length);
  const order = new Uint32Array(positions.length);
  for (let i = 0; i < positions.length; i++) {
    const rank = ranks[positions[i]!]!;
    drawn[i] = compact[rank]!;
    order[starts[rank]!++] = i;
  }
  return { ranks: drawn, distinct: present, order };
}

/** Average ranks from 1, computed from dense ranks. */
export function averageRanksOf({ ranks, order }: DenseRanks): Float64Array {
  const averages = new Float64Array(ranks.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && ranks[order[end]!] === ranks[order[start]!]) end++;
    const shared = (start + 1 + end) / 2;
    for (let place = start; place < end; place++) averages[order[place]!] = shared;
    start = end;
  }
  return averages;
}

/** The sum of one figure over many items. */
export function sumBy<T>(things: ArrayLike<T>, figure: (thing: T, index: number) => number): number {
  return sum(Array.from(things, figure));
}

/**
 * Wilson's score interval (1927) for a share: honest for small counts and near 0 and 1. `level` is 0.95 for a 95 %
 * interval.
 *
 * @example
 * ```ts
 * wilsonInterval(8, 10, 0.95); // about [0.49, 0.943]
 * ```
 */
export function wilsonInterval(successes: number, trials: number, level: number): [number, number] {
  if (!(trials > 0)) throw new RangeError("a share needs at least one trial");
  const z = normalQuantile(0.5 + level / 2);
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
