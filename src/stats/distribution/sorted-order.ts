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

/** Puts neighbours with the same upper bits in the order of their lower bits; the sort so far was stable, and this is too. */
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

/** 32 when there is no bit at all. */
function trailingZeros(bits: number): number {
  return bits === 0 ? 32 : 31 - Math.clz32(bits & -bits);
}

function ascendingFrom0(length: number): Uint32Array {
  const positions = new Uint32Array(length);
  for (let i = 0; i < length; i++) positions[i] = i;
  return positions;
}
