/**
 * Remembers a small number for each distinct piece of text, looked up by position, so that counting a novel makes no
 * strings. A piece is known by 56 bits of two independent hashes: among the quarter million pieces it holds, a wrong match
 * is less likely than a fault of the memory it stands in. Hash and number stand beside each other, so that a look-up
 * touches one line of the processor's cache.
 */
export class PieceCounts {
  private readonly slots = new Int32Array(2 * SLOTS);
  private size = 0;

  /** The number for `text.slice(start, end)`, asked of `compute` the first time. Numbers up to 255 are remembered. */
  get(text: string, start: number, end: number, compute: (piece: string) => number): number {
    const { slots } = this;
    let one = 0x811c9dc5;
    let two = end - start;
    for (let position = start; position < end; position++) {
      const unit = text.charCodeAt(position);
      one = Math.imul(one ^ unit, 0x01000193);
      two = (Math.imul(two, 31) + unit) | 0;
    }
    one ^= one >>> 15;
    two = Math.imul(two ^ (two >>> 13), 0x5bd1e995) & ~LARGEST;
    let slot = (one ^ (two >>> 8)) & (SLOTS - 1);
    for (; slots[2 * slot + 1] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
      const entry = slots[2 * slot + 1]!;
      if (slots[2 * slot] === one && (entry & ~LARGEST) === two) return entry & LARGEST;
    }
    const count = compute(text.slice(start, end));
    if (count > LARGEST || count < 1) return count;
    if (++this.size > SLOTS / 2) this.clear();
    slots[2 * slot] = one;
    slots[2 * slot + 1] = two | count;
    return count;
  }

  private clear(): void {
    this.slots.fill(0);
    this.size = 1;
  }
}

const LARGEST = 0xff;
const SLOTS = 1 << 19;
