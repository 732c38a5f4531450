import { SIGNATURE_BINS } from "./signature.ts";

/** Two bins to a band: even texts with every tenth letter changed, which share a quarter of their shingles, meet in one. */
const ROWS = 2;
/** Members of a bucket that each is compared with; in a larger one everybody still meets this many neighbours. */
const MOST_NEIGHBOURS = 64;

/**
 * Locality-sensitive hashing: pairs of texts that agree in all rows of some band. Works band by band over sorted keys, so
 * memory stays in proportion to the number of texts. A pair is visited once for every band it meets in.
 */
export function forEachCandidatePair(
  signatures: Uint32Array,
  count: number,
  visit: (left: number, right: number) => void,
): void {
  const keys = new Float64Array(count);
  const order = new Uint32Array(count);
  for (let band = 0; band < SIGNATURE_BINS / ROWS; band++) {
    for (let text = 0; text < count; text++) {
      const from = text * SIGNATURE_BINS + band * ROWS;
      // 53 bits hold the better part of two 32-bit rows exactly.
      keys[text] = signatures[from]! * 0x200000 + (signatures[from + 1]! >>> 11);
      order[text] = text;
    }
    order.sort((left, right) => keys[left]! - keys[right]! || left - right);
    for (let start = 0; start < count; ) {
      let end = start + 1;
      while (end < count && keys[order[end]!] === keys[order[start]!]) end++;
      visitBucket(order, start, end, visit);
      start = end;
    }
  }
}

function visitBucket(
  order: Uint32Array,
  start: number,
  end: number,
  visit: (left: number, right: number) => void,
): void {
  for (let left = start; left < end - 1; left++) {
    const last = Math.min(end, left + 1 + MOST_NEIGHBOURS);
    for (let right = left + 1; right < last; right++) visit(order[left]!, order[right]!);
  }
}
