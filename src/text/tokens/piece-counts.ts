/**
 * Remembers a small number for each distinct piece of text, looked up by position, so that counting a novel makes no
 * strings. A piece is known by two independent 32-bit hashes: among the half million pieces it holds, a wrong match is less
 * likely than a fault of the memory it stands in.
 */
export class PieceCounts {
  private readonly first = new Int32Array(SLOTS);
  private readonly second = new Int32Array(SLOTS);
  private readonly counts = new Uint16Array(SLOTS);
  private size = 0;

  /** The number for `text.slice(start, end)`, asked of `compute` the first time. Numbers are 1 to 65,535. */
  get(text: string, start: number, end: number, compute: (piece: string) => number): number {
    let one = 0x811c9dc5;
    let two = end - start;
    for (let position = start; position < end; position++) {
      const unit = text.charCodeAt(position);
      one = Math.imul(one ^ unit, 0x01000193);
      two = Math.imul(two, 31) + unit;
    }
    one ^= one >>> 15;
    two = Math.imul(two ^ (two >>> 13), 0x5bd1e995);
    let slot = (one ^ two) & (SLOTS - 1);
    for (; this.counts[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
      if (this.first[slot] === (one | 0) && this.second[slot] === (two | 0)) return this.counts[slot]!;
    }
    const count = compute(text.slice(start, end));
    if (count > 0xffff || count < 1) return count;
    if (++this.size > SLOTS / 2) this.clear();
    this.first[slot] = one;
    this.second[slot] = two;
    this.counts[slot] = count;
    return count;
  }

  private clear(): void {
    this.counts.fill(0);
    this.size = 1;
  }
}

const SLOTS = 1 << 20;
