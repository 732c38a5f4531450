import type { DenseRanks } from "../distribution/ranks.ts";
import { inversions } from "./inversions.ts";

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

/** `starts[rank]` values stand before the first of that rank; one more cell holds the number of values. */
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

/** Goes through the right column in ascending order and drops each rank into its left rank's next free place. */
function rightRanksInOrderOfLeft(
  left: DenseRanks,
  leftStarts: Uint32Array | null,
  right: DenseRanks,
  rightStarts: Uint32Array,
): Uint32Array {
  const sequence = new Uint32Array(left.ranks.length);
  if (!leftStarts) {
    // Without ties on the left its order is the whole story, and looking up is faster than dropping in.
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

/** Runs of one right rank inside the stretch of one left rank: tied in both. */
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
