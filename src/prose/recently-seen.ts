const SLOTS = 1 << 15;

/**
 * Where each hash was last seen. One slot per hash, the newer of two that share a slot wins: only the last few hundred
 * words matter, so that is rare, and the memory stays the same for a paragraph and for a novel.
 */
export class RecentlySeen {
  private readonly keys = new Uint32Array(SLOTS);
  private readonly places = new Uint32Array(SLOTS);

  /** How far back `hash` was seen, infinitely far if it was not; now it is seen at `place`, which counts from 1. */
  distance(hash: number, place: number): number {
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const before = this.places[slot]!;
    const distance = before !== 0 && this.keys[slot] === hash ? place - before : Number.POSITIVE_INFINITY;
    this.keys[slot] = hash;
    this.places[slot] = place;
    return distance;
  }
}
