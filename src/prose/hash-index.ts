import { hashOf } from "./hashing.ts";

/**
 * From 32-bit hashes to positions 0…n−1: open addressing over typed arrays, so that a lookup allocates nothing. A `Map` would: most
 * hashes are too large for its small integers, and each is put into an object of its own before it is looked up.
 */
export class HashIndex {
  readonly size: number;
  private readonly mask: number;
  /** Hash and position plus one side by side, so that a look costs one cache line; a position of 0 is an empty slot. */
  private readonly slots: Uint32Array;

  constructor(hashes: Uint32Array) {
    let capacity = 16;
    while (capacity < hashes.length * 3) capacity *= 2;
    this.size = hashes.length;
    this.mask = capacity - 1;
    this.slots = new Uint32Array(2 * capacity);
    for (let position = 0; position < hashes.length; position++) this.insert(hashes[position]!, position + 1);
  }

  /** Words by their position in the list. */
  static ofWords(words: readonly string[]): HashIndex {
    return new HashIndex(Uint32Array.from(words, hashOf));
  }

  has(hash: number): boolean {
    return this.find(hash) !== -1;
  }

  /** The position of a hash, or -1. */
  find(hash: number): number {
    const { slots, mask } = this;
    let slot = hash & mask;
    for (;;) {
      const held = slots[2 * slot + 1]!;
      if (held === 0) return -1;
      if (slots[2 * slot] === hash) return held - 1;
      slot = (slot + 1) & mask;
    }
  }

  private insert(hash: number, value: number): void {
    const { slots, mask } = this;
    let slot = hash & mask;
    while (slots[2 * slot + 1] !== 0 && slots[2 * slot] !== hash) slot = (slot + 1) & mask;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = value;
  }
}
