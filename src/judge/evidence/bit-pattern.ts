/** Bits of a word that JavaScript's integer operators work on. */
const BITS = 32;

/**
 * A text to be looked for nearly, laid out so that 32 of its letters are compared with a letter of the window at once:
 * Myers' bit-vector algorithm (1999) in Hyyrö's block form. It gives the same number as Sellers' table at a thirtieth of
 * the work, but not where the match begins, so it says which windows are worth the table.
 */
export class BitPattern {
  readonly #length: number;
  readonly #blocks: number;
  /** For each letter of the pattern, the places it stands at, a bit each. */
  readonly #places = new Map<number, Int32Array>();
  readonly #none: Int32Array;
  /** The vertical differences of the table's current column that are +1, and those that are −1. */
  readonly #rising: Int32Array;
  readonly #falling: Int32Array;

  constructor(wanted: string) {
    this.#length = wanted.length;
    this.#blocks = Math.max(1, Math.ceil(wanted.length / BITS));
    this.#none = new Int32Array(this.#blocks);
    this.#rising = new Int32Array(this.#blocks);
    this.#falling = new Int32Array(this.#blocks);
    for (let at = 0; at < wanted.length; at++) {
      const code = wanted.charCodeAt(at);
      let places = this.#places.get(code);
      if (!places) {
        places = new Int32Array(this.#blocks);
        this.#places.set(code, places);
      }
      places[Math.floor(at / BITS)]! |= 1 << (at % BITS);
    }
  }

  /** The least number of edits between the whole pattern and any part of `text` between the two places. */
  leastEdits(text: string, from: number, to: number): number {
    if (this.#length === 0) return 0;
    const rising = this.#rising.fill(-1);
    const falling = this.#falling.fill(0);
    const last = this.#blocks - 1;
    const lastBit = 1 << ((this.#length - 1) % BITS);
    let edits = this.#length;
    let least = edits;
    for (let at = from; at < to; at++) {
      const places = this.#places.get(text.charCodeAt(at)) ?? this.#none;
      // The horizontal difference that a block hands to the one below it. Above the first it is 0: a match may begin anywhere.
      let carried = 0;
      for (let block = 0; block <= last; block++) {
        const up = rising[block]!;
        const down = falling[block]!;
        const same = places[block]!;
        const lowered = carried < 0 ? 1 : 0;
        const equal = same | lowered;
        const vertical = same | down;
        const horizontal = ((((equal & up) + up) | 0) ^ up) | equal;
        let plus = down | ~(horizontal | up);
        let minus = up & horizontal;
        const edge = block === last ? lastBit : 1 << (BITS - 1);
        const handed = (plus & edge) !== 0 ? 1 : (minus & edge) !== 0 ? -1 : 0;
        plus = (plus << 1) | (carried > 0 ? 1 : 0);
        minus = (minus << 1) | lowered;
        rising[block] = minus | ~(vertical | plus);
        falling[block] = plus & vertical;
        carried = handed;
      }
      edits += carried;
      if (edits < least) least = edits;
    }
    return least;
  }
}
