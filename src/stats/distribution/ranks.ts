import { sortedOrder } from "./sorted-order.ts";

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

/** The dense ranks of a resample, in time linear in it: drawing positions again never changes who ranks above whom. */
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

/** Ranks from 1 with shared averages, out of dense ranks. */
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
