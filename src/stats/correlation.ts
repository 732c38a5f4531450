import { averageRanks, averageRanksOf, type DenseRanks, denseRanks, mean, resampledRanks } from "./distribution.ts";
import { defined, notDefined, requireEqualLengths, type Statistic, type UndefinedStatistic } from "./statistic.ts";

/** Ranks are split into digits of at most this many bits, so that a digit's tree fits into the fastest cache. */
const DIGIT_BITS = 7;

/**
 * The number of pairs in a sequence of dense ranks that are out of order. Works digit by digit, from the highest, so
 * that few levels need one short pass and no two ranks are ever compared. `starts[rank]` ranks are smaller.
 */
function inversions(sequence: Uint32Array, starts: Uint32Array): number {
  const distinct = starts.length - 1;
  const tree = new Int32Array(2 << Math.min(DIGIT_BITS, bitLength(distinct - 1)));
  let current: Uint32Array = sequence;
  let split: Uint32Array = new Uint32Array(sequence.length);
  let count = 0;
  for (let bits = bitLength(distinct - 1); bits > 0; ) {
    const width = Math.min(bits, DIGIT_BITS);
    const shift = bits - width;
    count += inversionsWithinGroups(current, bits, shift, tree);
    if (shift > 0) {
      splitByPrefix(current, split, starts, shift);
      [current, split] = [split, current];
    }
    bits = shift;
  }
  return count;
}

/**
 * Pairs out of order in one digit, among neighbours that share all higher digits. The tree counts the digits seen
 * below each node; on the way down, every turn to the left passes the greater digits on the right. The walk has a
 * fixed length and no branch that could be mispredicted.
 */
function inversionsWithinGroups(sequence: Uint32Array, bits: number, shift: number, tree: Int32Array): number {
  const depth = bits - shift;
  let group = -1;
  let count = 0;
  for (let i = 0; i < sequence.length; i++) {
    const rank = sequence[i]!;
    const here = bits < 32 ? rank >>> bits : 0;
    if (here !== group) {
      group = here;
      tree.fill(0, 0, 2 << depth);
    }
    let greater = 0;
    let node = 1;
    for (let level = bits - 1; level >= shift; level--) {
      const turn = (rank >>> level) & 1;
      greater += tree[2 * node + 1]! & (turn - 1);
      node = 2 * node + turn;
      tree[node] = (tree[node]! + 1) | 0;
    }
    count += greater;
  }
  return count;
}

function splitByPrefix(from: Uint32Array, to: Uint32Array, starts: Uint32Array, shift: number): void {
  const next = new Uint32Array(((starts.length - 2) >>> shift) + 1);
  for (let prefix = 0; prefix < next.length; prefix++) next[prefix] = starts[prefix << shift]!;
  for (let i = 0; i < from.length; i++) to[next[from[i]! >>> shift]!++] = from[i]!;
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}

/**
 * The counts of concordant, discordant and tied pairs of two ranked columns, from which every form of Kendall's τ is
 * computed.
 */
export interface PairCounts {
  readonly pairs: number;
  readonly concordant: number;
  readonly discordant: number;
  readonly tiedLeft: number;
  readonly tiedRight: number;
  readonly tiedBoth: number;
}

/**
 * Counts the pairs that two columns put in the same order, in opposite order, or tie: for a rank statistic of your own.
 * Knight's method (1966) in O(n log d) for d distinct values on the right: put the pairs in order of the left column,
 * ties by the right; what is then out of order on the right is discordant.
 *
 * @example
 * ```ts
 * const { pairs, concordant, discordant } = countPairs(denseRanks([1, 2, 3]), denseRanks([1, 3, 2]));
 * // pairs: 3, concordant: 2, discordant: 1
 * ```
 */
export function countPairs(left: DenseRanks, right: DenseRanks): PairCounts {
  const n = left.ranks.length;
  const leftStarts = left.distinct === n ? null : rankStarts(left);
  const rightStarts = rankStarts(right);
  const sequence = rightRanksInOrderOfLeft(left, leftStarts, right, rightStarts);
  const pairs = (n * (n - 1)) / 2;
  const tiedLeft = leftStarts ? tiedPairs(leftStarts) : 0;
  const tiedRight = right.distinct === n ? 0 : tiedPairs(rightStarts);
  const tiedBoth = leftStarts && tiedRight > 0 ? tiedPairsWithin(sequence, leftStarts) : 0;
  const discordant = inversions(sequence, rightStarts);
  return {
    pairs,
    concordant: pairs - tiedLeft - tiedRight + tiedBoth - discordant,
    discordant,
    tiedLeft,
    tiedRight,
    tiedBoth,
  };
}

/** `starts[rank]` values come before the first of that rank; one more cell holds the number of values. */
function rankStarts({ ranks, distinct }: DenseRanks): Uint32Array {
  const starts = new Uint32Array(distinct + 1);
  if (distinct === ranks.length) {
    for (let rank = 1; rank <= distinct; rank++) starts[rank] = rank;
    return starts;
  }
  for (let i = 0; i < ranks.length; i++) starts[ranks[i]! + 1]!++;
  for (let rank = 0; rank < distinct; rank++) starts[rank + 1] = starts[rank + 1]! + starts[rank]!;
  return starts;
}

/** Goes through the right column in ascending order and puts each rank in the next free place of its left rank. */
function rightRanksInOrderOfLeft(
  left: DenseRanks,
  leftStarts: Uint32Array | null,
  right: DenseRanks,
  rightStarts: Uint32Array,
): Uint32Array {
  const sequence = new Uint32Array(left.ranks.length);
  if (!leftStarts) {
    // Without ties on the left, its order is sufficient, and looking up is faster than inserting.
    for (let place = 0; place < sequence.length; place++) sequence[place] = right.ranks[left.order[place]!]!;
    return sequence;
  }
  const next = leftStarts.slice();
  for (let rank = 0; rank < right.distinct; rank++) {
    for (let place = rightStarts[rank]!; place < rightStarts[rank + 1]!; place++) {
      sequence[next[left.ranks[right.order[place]!]!]!++] = rank;
    }
  }
  return sequence;
}

function tiedPairs(starts: Uint32Array): number {
  let tied = 0;
  for (let rank = 0; rank + 1 < starts.length; rank++) tied += pairsAmong(starts[rank + 1]! - starts[rank]!);
  return tied;
}

/** Runs of one right rank within the range of one left rank: tied in both. */
function tiedPairsWithin(sequence: Uint32Array, leftStarts: Uint32Array): number {
  let tied = 0;
  for (let group = 0; group + 1 < leftStarts.length; group++) {
    const end = leftStarts[group + 1]!;
    for (let start = leftStarts[group]!; start < end; ) {
      let stop = start + 1;
      while (stop < end && sequence[stop] === sequence[start]) stop++;
      tied += pairsAmong(stop - start);
      start = stop;
    }
  }
  return tied;
}

function pairsAmong(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Why two columns cannot be correlated; null if they can. Every correlation checks this first. */
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

/** `b` corrects for ties in either column; `c` (Stuart's) also for scales of unequal length. */
export type KendallVariant = "b" | "c";

/**
 * Kendall's rank correlation in O(n log n): the share of pairs two columns put in the same order, less the share they
 * put in opposite order. Checked against `scipy.stats.kendalltau`. Use it for a metric against human ratings: only the
 * order counts, and ties are corrected for.
 *
 * @example
 * ```ts
 * kendallTau([1, 2, 3, 4], [1, 3, 2, 4]); // about { value: 0.667 }
 * ```
 */
export function kendallTau(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  options: { readonly variant?: KendallVariant } = {},
): Statistic {
  const obstacle = whyUncorrelatable(left, right, { finite: false });
  return obstacle ?? kendallTauOfRanks(denseRanks(left), denseRanks(right), options.variant ?? "b");
}

/** τ of columns that are already ranked, for resampling, which never changes the order of values. */
export function kendallTauOfRanks(left: DenseRanks, right: DenseRanks, variant: KendallVariant): Statistic {
  const { pairs, concordant, discordant, tiedLeft, tiedRight } = countPairs(left, right);
  const surplus = concordant - discordant;
  switch (variant) {
    case "b":
      return defined(clamp(surplus / Math.sqrt((pairs - tiedLeft) * (pairs - tiedRight))));
    case "c": {
      const n = left.ranks.length;
      const levels = Math.min(left.distinct, right.distinct);
      return defined(clamp((2 * surplus) / ((n * n * (levels - 1)) / levels)));
    }
    default:
      return variant satisfies never;
  }
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}

/** If a column's spread is below this share of the mean, it is rounding noise and its correlations mean nothing. */
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

/** A correlation of the pairs at the given positions; a position counts as often as it is listed. */
export type ResampledCorrelation = (positions: ArrayLike<number>) => Statistic;

/**
 * Pearson's correlation over any choice of rows, as `percentileBootstrap` needs it.
 *
 * @example
 * ```ts
 * const correlate = resampledPearson([1, 2, 3], [2, 9, 4]);
 * correlate([0, 2]); // about { value: 1 }: rows 0 and 2 alone
 * ```
 */
export function resampledPearson(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  return (positions) => pearson(pick(left, positions), pick(right, positions));
}

/**
 * Spearman's ρ over any choice of rows, as `percentileBootstrap` needs it. Ranks once, then each resample in linear
 * time.
 *
 * @example
 * ```ts
 * const statistic = resampledSpearman([1, 2, 3, 4], [1, 4, 2, 3]);
 * statistic([0, 1, 1, 2]); // row 1 counts twice
 * percentileBootstrap({ draw: drawPositions(4), statistic, random: Math.random });
 * ```
 */
export function resampledSpearman(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  const leftRanks = denseRanks(left);
  const rightRanks = denseRanks(right);
  return (positions) =>
    pearson(
      averageRanksOf(resampledRanks(leftRanks, positions)),
      averageRanksOf(resampledRanks(rightRanks, positions)),
    );
}

/**
 * Kendall's τ-b over any choice of rows, as `percentileBootstrap` needs it. Ranks once, so that ten thousand resamples
 * never sort again.
 *
 * @example
 * ```ts
 * const correlate = resampledKendall([1, 2, 3], [1, 3, 2]);
 * correlate([0, 1, 2]); // about { value: 0.333 }
 * correlate([0, 1]); // { value: 1 }
 * ```
 */
export function resampledKendall(left: ArrayLike<number>, right: ArrayLike<number>): ResampledCorrelation {
  const leftRanks = denseRanks(left);
  const rightRanks = denseRanks(right);
  return (positions) => {
    const drawnLeft = resampledRanks(leftRanks, positions);
    const drawnRight = resampledRanks(rightRanks, positions);
    if (drawnLeft.distinct < 2) return notDefined("the first column is constant");
    if (drawnRight.distinct < 2) return notDefined("the second column is constant");
    return kendallTauOfRanks(drawnLeft, drawnRight, "b");
  };
}

function pick(values: ArrayLike<number>, positions: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = values[positions[i]!]!;
  return picked;
}

/**
 * Spearman's ρ: Pearson's correlation of the ranks, ties sharing an average rank. Checked against
 * `scipy.stats.spearmanr`. Use it when the relation rises or falls but need not be a straight line.
 *
 * @example
 * ```ts
 * spearman([1, 2, 3, 4], [1, 10, 100, 1000]); // { value: 1 }
 * ```
 */
export function spearman(left: ArrayLike<number>, right: ArrayLike<number>): Statistic {
  return whyUncorrelatable(left, right, { finite: false }) ?? pearson(averageRanks(left), averageRanks(right));
}
