/** Ranks are cut into digits of at most this many bits, so that a digit's tree stays in the fastest cache. */
const DIGIT_BITS = 7;

/**
 * How many pairs of a sequence of dense ranks stand in the wrong order. Works a digit of the rank at a time, from the
 * highest, so that few levels need one short pass and no two ranks are ever compared. `starts[rank]` ranks are smaller.
 */
export function inversions(sequence: Uint32Array, starts: Uint32Array): number {
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
 * Pairs out of order in one digit, among neighbours that share all higher digits. The tree counts the digits seen below
 * each node; on the way down, every turn to the left passes by the greater digits on the right. The walk has a fixed
 * length and no branch that could be mispredicted.
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
