import type { DenseRanks } from "../distribution/ranks.ts";

/** How the n(n − 1)/2 pairs of two ranked columns fall: what every form of Kendall's τ is made of. */
export interface PairCounts {
  readonly pairs: number;
  readonly concordant: number;
  readonly discordant: number;
  readonly tiedLeft: number;
  readonly tiedRight: number;
  readonly tiedBoth: number;
}

/**
 * Knight's method (1966) in O(n log d) for d distinct values on the right: put the pairs in order of the left column,
 * ties by the right; what is then out of order on the right is discordant. Inversions are counted by splitting on one
 * bit of the rank at a time, from the highest, so that few levels need few passes and nothing is ever compared.
 */
export function countPairs(left: DenseRanks, right: DenseRanks): PairCounts {
  const n = left.ranks.length;
  const order = stableOrderBy(left, right.order);
  const sequence = new Uint32Array(n);
  for (let i = 0; i < n; i++) sequence[i] = right.ranks[order[i]!]!;
  const pairs = (n * (n - 1)) / 2;
  const tiedLeft = tiedPairs(left);
  const tiedRight = tiedPairs(right);
  const tiedBoth = tiedInBoth(left.ranks, right.ranks, order);
  const discordant = inversions(sequence, right.distinct);
  return {
    pairs,
    concordant: pairs - tiedLeft - tiedRight + tiedBoth - discordant,
    discordant,
    tiedLeft,
    tiedRight,
    tiedBoth,
  };
}

/** How often each rank occurs, summed up: `starts[rank]` values stand before the first of that rank. */
function rankStarts(ranks: Uint32Array, distinct: number): Uint32Array {
  const starts = new Uint32Array(distinct + 1);
  for (let i = 0; i < ranks.length; i++) starts[ranks[i]! + 1]!++;
  for (let rank = 0; rank < distinct; rank++) starts[rank + 1] = starts[rank + 1]! + starts[rank]!;
  return starts;
}

function stableOrderBy({ ranks, distinct }: DenseRanks, order: Uint32Array): Uint32Array {
  const next = rankStarts(ranks, distinct);
  const sorted = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const position = order[i]!;
    sorted[next[ranks[position]!]!++] = position;
  }
  return sorted;
}

function tiedPairs({ ranks, distinct }: DenseRanks): number {
  const starts = rankStarts(ranks, distinct);
  let tied = 0;
  for (let rank = 0; rank < distinct; rank++) {
    const group = starts[rank + 1]! - starts[rank]!;
    tied += (group * (group - 1)) / 2;
  }
  return tied;
}

function tiedInBoth(left: Uint32Array, right: Uint32Array, order: Uint32Array): number {
  let tied = 0;
  let group = 1;
  for (let i = 1; i <= order.length; i++) {
    const here = order[i];
    const before = order[i - 1]!;
    if (here !== undefined && left[here] === left[before] && right[here] === right[before]) group++;
    else {
      tied += (group * (group - 1)) / 2;
      group = 1;
    }
  }
  return tied;
}

function inversions(sequence: Uint32Array, distinct: number): number {
  const starts = rankStarts(sequence, distinct);
  let current: Uint32Array = sequence;
  let split: Uint32Array = new Uint32Array(sequence.length);
  let count = 0;
  for (let bit = 31 - Math.clz32(Math.max(distinct - 1, 1)); bit >= 0; bit--) {
    // One cell per prefix of the rank: where its part of the split begins, and where its next member goes.
    const prefixes = ((distinct - 1) >>> bit) + 1;
    const begins = new Uint32Array(prefixes + 1);
    for (let prefix = 0; prefix < prefixes; prefix++) begins[prefix] = starts[prefix << bit]!;
    begins[prefixes] = sequence.length;
    const next = begins.slice();
    for (let i = 0; i < current.length; i++) {
      const rank = current[i]!;
      const prefix = rank >>> bit;
      // A zero bit after ones of the same higher bits: each of those ones is out of order with it.
      if ((prefix & 1) === 0) count += next[prefix + 1]! - begins[prefix + 1]!;
      split[next[prefix]!++] = rank;
    }
    [current, split] = [split, current];
  }
  return count;
}
