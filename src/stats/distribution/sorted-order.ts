const SMALL = 3000;
const BITS = 11;
const BUCKETS = 1 << BITS;
const PASSES = 6;

/**
 * The positions of the values in ascending order, equal values in order of appearance. Large inputs go through a radix
 * sort over the bits of the numbers: no comparator is called, and a digit that all values share costs nothing, so a
 * million grades on a five-point scale sort in one or two passes.
 */
export function sortedOrder(values: ArrayLike<number>): Uint32Array {
  if (values.length < SMALL) {
    const order = Uint32Array.from({ length: values.length }, (_, position) => position);
    return order.sort((a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : a - b));
  }
  return radixOrder(values);
}

interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly order: Uint32Array;
}

function radixOrder(values: ArrayLike<number>): Uint32Array {
  const n = values.length;
  const { high, low } = sortableBits(values);
  let source: Keys = { high, low, order: Uint32Array.from({ length: n }, (_, position) => position) };
  let target: Keys = { high: new Uint32Array(n), low: new Uint32Array(n), order: new Uint32Array(n) };
  const counts = digitCounts(high, low);
  for (let pass = 0; pass < PASSES; pass++) {
    const starts = counts.subarray(pass * BUCKETS, (pass + 1) * BUCKETS);
    if (starts[digitOf(source.high[0]!, source.low[0]!, pass)] === n) continue;
    let before = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = starts[bucket]!;
      starts[bucket] = before;
      before += count;
    }
    for (let i = 0; i < n; i++) {
      const bucket = digitOf(source.high[i]!, source.low[i]!, pass);
      const place = starts[bucket]!;
      starts[bucket] = place + 1;
      target.high[place] = source.high[i]!;
      target.low[place] = source.low[i]!;
      target.order[place] = source.order[i]!;
    }
    [source, target] = [target, source];
  }
  return source.order;
}

/** The bits of each double, changed so that they order as unsigned integers the way the numbers do; −0 becomes 0. */
function sortableBits(values: ArrayLike<number>): { high: Uint32Array; low: Uint32Array } {
  const n = values.length;
  const high = new Uint32Array(n);
  const low = new Uint32Array(n);
  const cell = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < n; i++) {
    cell.setFloat64(0, values[i]! + 0);
    const top = cell.getUint32(0);
    const bottom = cell.getUint32(4);
    const negative = top >>> 31 === 1;
    high[i] = negative ? ~top : top ^ 0x80000000;
    low[i] = negative ? ~bottom : bottom;
  }
  return { high, low };
}

function digitOf(high: number, low: number, pass: number): number {
  return pass < 3 ? (low >>> (pass * BITS)) & (BUCKETS - 1) : (high >>> ((pass - 3) * BITS)) & (BUCKETS - 1);
}

function digitCounts(high: Uint32Array, low: Uint32Array): Uint32Array {
  const counts = new Uint32Array(PASSES * BUCKETS);
  for (let i = 0; i < high.length; i++) {
    for (let pass = 0; pass < PASSES; pass++) {
      const slot = pass * BUCKETS + digitOf(high[i]!, low[i]!, pass);
      counts[slot] = counts[slot]! + 1;
    }
  }
  return counts;
}
