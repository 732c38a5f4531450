const SLOTS = 1 << 15;
/** Places are 32-bit numbers: long before they run out, everything is forgotten. */
const LAST_PLACE = 2 ** 31;

/**
 * Where each hash was last seen. One slot per hash, the newer of two that share a slot wins: only the last few hundred
 * words matter, so that is rare, and the memory stays the same for a paragraph and for a novel.
 *
 * One is enough for all texts: {@link forget} moves on by more words than anyone looks back, which costs nothing, where a new table
 * would cost more than the chapter that is read with it.
 */
export class RecentlySeen {
  /** Hash and place side by side; a place of 0 is an empty slot. */
  private readonly slots = new Uint32Array(2 * SLOTS);
  private place = 0;
  private readonly span: number;

  /** `span`: how far back anyone looks. */
  constructor(span: number) {
    this.span = span;
  }

  forget(): void {
    this.place += this.span + 1;
    if (this.place < LAST_PLACE) return;
    this.slots.fill(0);
    this.place = 0;
  }

  nextWord(): void {
    this.place++;
  }

  /** How many words back `hash` was seen, more than the span if it was not; now it is seen at this word. */
  distance(hash: number): number {
    const { slots, place } = this;
    const slot = 2 * ((hash ^ (hash >>> 15)) & (SLOTS - 1));
    const before = slots[slot] === hash ? slots[slot + 1]! : 0;
    slots[slot] = hash;
    slots[slot + 1] = place;
    return before === 0 ? this.span + 1 : place - before;
  }
}
