/** The tokens of a byte-pair encoding in the order of their ranks: text, or bytes where they are no whole characters. */
export type RankedTokens = readonly (string | readonly number[])[];

/**
 * Counts the tokens of one piece of text by merging its bytes, lowest rank first. A token is known by two independent
 * 32-bit hashes of its bytes. They are polynomials, so that the hashes of any stretch come from those of two prefixes, and
 * a merge is tried without copying a byte.
 */
export class MergeRanks {
  private readonly table = new Int32Array(3 * SLOTS);

  constructor(tokens: RankedTokens) {
    const { table } = this;
    for (let rank = 0; rank < tokens.length; rank++) {
      const token = tokens[rank];
      // A rank that is not used is a hole.
      if (token === undefined) continue;
      const length = typeof token === "string" ? writeText(token) : writeBytes(token);
      hashPrefixes(length);
      const slot = 3 * this.slotOf(ONES[length]!, TWOS[length]!);
      table[slot] = ONES[length]!;
      table[slot + 1] = TWOS[length]!;
      table[slot + 2] = rank + 1;
    }
  }

  /** The piece may have `LONGEST_PIECE` UTF-16 units. */
  count(piece: string): number {
    const length = writeText(piece);
    hashPrefixes(length);
    return this.rankOf(0, length) > 0 ? 1 : this.merge(length);
  }

  private merge(length: number): number {
    let parts = length;
    for (let at = 0; at <= length; at++) STARTS[at] = at;
    for (let part = 0; part < parts - 1; part++) RANKS[part] = this.rankOf(part, part + 2);
    for (;;) {
      let lowest = NO_RANK;
      let best = -1;
      for (let part = 0; part < parts - 1; part++) {
        const rank = RANKS[part]!;
        if (rank === 0 || rank >= lowest) continue;
        lowest = rank;
        best = part;
      }
      if (best < 0) return parts;
      STARTS.copyWithin(best + 1, best + 2, parts + 1);
      RANKS.copyWithin(best, best + 1, parts - 1);
      parts--;
      if (best < parts - 1) RANKS[best] = this.rankOf(STARTS[best]!, STARTS[best + 2]!);
      if (best > 0) RANKS[best - 1] = this.rankOf(STARTS[best - 1]!, STARTS[best + 1]!);
    }
  }

  /** One more than the rank of the token that these bytes are; 0 when they are none. */
  private rankOf(start: number, end: number): number {
    const one = (ONES[end]! - Math.imul(ONES[start]!, ONE_POWERS[end - start]!)) | 0;
    const two = (TWOS[end]! - Math.imul(TWOS[start]!, TWO_POWERS[end - start]!)) | 0;
    return this.table[3 * this.slotOf(one, two) + 2]!;
  }

  /** Where the token stands, or the free place where it would. */
  private slotOf(one: number, two: number): number {
    const { table } = this;
    let slot = Math.imul(one ^ (two >>> 15), 0x9e3779b1) >>> (32 - SLOT_BITS);
    while (table[3 * slot + 2] !== 0 && (table[3 * slot] !== one || table[3 * slot + 1] !== two)) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
  }
}

/** Merging takes time that grows with the square of a piece's length. No word is longer than this. */
export const LONGEST_PIECE = 128;

const SLOT_BITS = 19;
const SLOTS = 1 << SLOT_BITS;
const NO_RANK = 0x7fffffff;

/** A UTF-16 unit takes three bytes at most; the longest token of o200k_base has 128. */
const MOST_BYTES = 3 * LONGEST_PIECE;
const BYTES = new Uint8Array(MOST_BYTES);
const STARTS = new Int32Array(MOST_BYTES + 1);
const RANKS = new Int32Array(MOST_BYTES + 1);
const ONES = new Int32Array(MOST_BYTES + 1);
const TWOS = new Int32Array(MOST_BYTES + 1);
const ONE_BASE = 0x01000193;
const TWO_BASE = 0x5bd1e995;
const ONE_POWERS = powersOf(ONE_BASE);
const TWO_POWERS = powersOf(TWO_BASE);
const ENCODER = new TextEncoder();

function powersOf(base: number): Int32Array {
  const powers = new Int32Array(MOST_BYTES + 1).fill(1);
  for (let at = 1; at < powers.length; at++) powers[at] = Math.imul(powers[at - 1]!, base);
  return powers;
}

function writeText(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return ENCODER.encodeInto(text, BYTES).written;
    BYTES[at] = unit;
  }
  return text.length;
}

function writeBytes(bytes: readonly number[]): number {
  BYTES.set(bytes);
  return bytes.length;
}

/** One is added to every byte, so that a NUL counts too. */
function hashPrefixes(length: number): void {
  let one = 0;
  let two = 0;
  for (let at = 0; at < length; at++) {
    const byte = BYTES[at]! + 1;
    one = (Math.imul(one, ONE_BASE) + byte) | 0;
    two = (Math.imul(two, TWO_BASE) + byte) | 0;
    ONES[at + 1] = one;
    TWOS[at + 1] = two;
  }
}
