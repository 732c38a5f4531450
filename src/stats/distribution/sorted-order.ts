const SMALL = 3000;
const DIGIT_BITS = 12;
const BUCKETS = 1 << DIGIT_BITS;

/**
 * The positions of the values in ascending order, equal values in order of appearance. Large inputs go through a radix
 * sort over the bits of the numbers: no comparator is called, and digits that all values share are passed over, so a
 * million grades on a five-point scale sort in one or two passes.
 */
export function sortedOrder(values: ArrayLike<number>): Uint32Array {
  if (values.length >= SMALL) return radixOrder(values);
  return ascendingFrom0(values.length).sort((a, b) =>
    values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : a - b,
  );
}

/** What moves in each pass: two words of sortable bits, and the position they came from. */
interface Keys {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly order: Uint32Array;
}

function radixOrder(values: ArrayLike<number>): Uint32Array {
  const n = values.length;
  let source = sortableKeys(values);
  let target: Keys = { low: new Uint32Array(n), high: new Uint32Array(n), order: new Uint32Array(n) };
  for (const word of ["low", "high"] as const) {
    const varying = varyingBits(source[word]);
    for (let shift = trailingZeros(varying); shift < 32; shift += DIGIT_BITS) {
      if (((varying >>> shift) & (BUCKETS - 1)) === 0) continue;
      distribute(source, target, word, shift);
      [source, target] = [target, source];
    }
  }
  return source.order;
}

function distribute(source: Keys, target: Keys, word: "low" | "high", shift: number): void {
  const digits = source[word];
  const next = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < digits.length; i++) next[((digits[i]! >>> shift) & (BUCKETS - 1)) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) next[bucket + 1] = next[bucket + 1]! + next[bucket]!;
  const { low, high, order } = source;
  const { low: toLow, high: toHigh, order: toOrder } = target;
  for (let i = 0; i < digits.length; i++) {
    const place = next[(digits[i]! >>> shift) & (BUCKETS - 1)]!++;
    toLow[place] = low[i]!;
    toHigh[place] = high[i]!;
    toOrder[place] = order[i]!;
  }
}

/** The bits of each double, changed so that they order as unsigned integers the way the numbers do; −0 becomes 0. */
function sortableKeys(values: ArrayLike<number>): Keys {
  const n = values.length;
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  const cell = new Float64Array(1);
  const words = new Uint32Array(cell.buffer);
  cell[0] = 1;
  const top = words[1] === 0 ? 0 : 1;
  for (let i = 0; i < n; i++) {
    cell[0] = values[i]! + 0;
    const upper = words[top]!;
    const flip = upper >> 31;
    high[i] = upper ^ (flip | 0x80000000);
    low[i] = words[1 - top]! ^ flip;
  }
  return { low, high, order: ascendingFrom0(n) };
}

function varyingBits(words: Uint32Array): number {
  const first = words[0]!;
  let varying = 0;
  for (let i = 1; i < words.length; i++) varying |= words[i]! ^ first;
  return varying;
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
