/** From 32-bit hashes to positions 0…n−1: open addressing over typed arrays, so that a lookup allocates nothing. */
export class HashIndex {
  readonly size: number;
  private readonly mask: number;
  private readonly keys: Uint32Array;
  /** Position plus one; 0 is an empty slot. */
  private readonly slots: Uint32Array;

  constructor(hashes: Uint32Array) {
    let capacity = 16;
    while (capacity < hashes.length * 3) capacity *= 2;
    this.size = hashes.length;
    this.mask = capacity - 1;
    this.keys = new Uint32Array(capacity);
    this.slots = new Uint32Array(capacity);
    for (let position = 0; position < hashes.length; position++) this.insert(hashes[position]!, position + 1);
  }

  /** The position of a hash, or -1. */
  find(hash: number): number {
    let slot = hash & this.mask;
    for (;;) {
      const held = this.slots[slot]!;
      if (held === 0) return -1;
      if (this.keys[slot] === hash) return held - 1;
      slot = (slot + 1) & this.mask;
    }
  }

  private insert(hash: number, value: number): void {
    let slot = hash & this.mask;
    while (this.slots[slot] !== 0 && this.keys[slot] !== hash) slot = (slot + 1) & this.mask;
    this.keys[slot] = hash;
    this.slots[slot] = value;
  }
}
