/** Data about a few hashes: a read-only map that is as fast as a {@link HashIndex}. */
export class HashTable<T> {
  private readonly index: HashIndex;
  private readonly values: readonly T[];

  constructor(entries: Iterable<readonly [hash: number, value: T]>) {
    const list = [...entries];
    this.index = new HashIndex(Uint32Array.from(list, ([hash]) => hash));
    this.values = list.map(([, value]) => value);
  }

  get(hash: number): T | undefined {
    const position = this.index.find(hash);
    return position === -1 ? undefined : this.values[position];
  }
}

/**
 * Maps 32-bit hashes to positions 0…n−1 by open addressing over typed arrays, so that a lookup allocates nothing. A
 * `Map` would: most hashes are too large for its small integers, and each would be boxed before the lookup.
 */
export class HashIndex {
  readonly size: number;
  private readonly mask: number;
  /**
   * Hash and position plus one side by side, so that a lookup needs one cache line; a position of 0 is an empty slot.
   */
  private readonly slots: Uint32Array;

  constructor(hashes: Uint32Array) {
    let capacity = 16;
    while (capacity < hashes.length * 3) capacity *= 2;
    this.size = hashes.length;
    this.mask = capacity - 1;
    this.slots = new Uint32Array(2 * capacity);
    for (let position = 0; position < hashes.length; position++) this.insert(hashes[position]!, position + 1);
  }

  /** An index of words by their position in the list. */
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

/** FNV-1a over the characters of a word, one at a time, so that no string is created. Finish with {@link finished}. */
export const EMPTY_HASH = 0x811c9dc5;

export function extended(hash: number, character: number): number {
  return Math.imul(hash ^ character, 0x01000193);
}

/** MurmurHash3's finaliser: every input bit affects every output bit. */
export function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The inverse of {@link finished}. */
export function unfinished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7ed1b41d);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ (mixed >>> 26), 0xa5cb9243);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A hash of two hashes in order, from which n-grams of tokens are made. */
export function joined(left: number, right: number): number {
  return finished(Math.imul(left, 0x9e3779b1) ^ Math.imul(right ^ 0x7feb352d, 0x846ca68b));
}

export function hashOf(word: string): number {
  let hash = EMPTY_HASH;
  for (let i = 0; i < word.length; i++) hash = extended(hash, word.charCodeAt(i));
  return finished(hash);
}
