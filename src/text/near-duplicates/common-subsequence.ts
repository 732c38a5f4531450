/**
 * The length of the longest common subsequence of two strings, by Hyyrö's bit-parallel recurrence (2004): each step of the
 * dynamic programme handles 32 cells at once. Checked against the plain recurrence in the tests.
 */
export function commonSubsequenceLength(left: string, right: string): number {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (short.length === 0) return 0;
  const words = (short.length + 31) >>> 5;
  const positions = new Map<number, Uint32Array>();
  for (let position = 0; position < short.length; position++) {
    const unit = short.charCodeAt(position);
    let bits = positions.get(unit);
    if (!bits) {
      bits = new Uint32Array(words);
      positions.set(unit, bits);
    }
    bits[position >>> 5]! |= 1 << (position & 31);
  }
  const rows = new Uint32Array(words).fill(0xffffffff);
  for (let position = 0; position < long.length; position++) {
    const matches = positions.get(long.charCodeAt(position));
    if (!matches) continue;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const row = rows[word]!;
      const hits = (row & matches[word]!) >>> 0;
      const sum = row + hits + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[word] = (sum >>> 0) | (row & ~hits);
    }
  }
  let length = 0;
  for (let word = 0; word < words; word++) {
    let zeros = ~rows[word]! >>> 0;
    if (word === words - 1 && (short.length & 31) !== 0) zeros &= 2 ** (short.length & 31) - 1;
    for (; zeros !== 0; zeros &= zeros - 1) length++;
  }
  return length;
}
