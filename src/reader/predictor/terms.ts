import { EMPTY_HASH, extended, finished, hashOf, joined } from "../../prose/hashing.ts";

/** Words and runs of letters are identified by the top bits of their hashes, so no string is built and no vocabulary is shipped. */
export const TERM_BITS = 22;
const APOSTROPHE = 39;
const TYPOGRAPHIC_APOSTROPHE = 0x2019;
const SPACE = 32;

export class TermBuffer {
  private terms = new Uint32Array(4096);
  length = 0;

  /** Takes a finished hash. */
  push(hash: number): void {
    if (this.length === this.terms.length) {
      const larger = new Uint32Array(this.terms.length * 2);
      larger.set(this.terms);
      this.terms = larger;
    }
    this.terms[this.length++] = hash >>> (32 - TERM_BITS);
  }

  clear(): this {
    this.length = 0;
    return this;
  }

  view(): Uint32Array {
    return this.terms.subarray(0, this.length);
  }
}

/** Single words and, when asked, pairs of neighbours. */
export function pushWords(text: string, into: TermBuffer, pairs: boolean): void {
  const lower = text.toLowerCase();
  let previous: number | null = null;
  let started = false;
  let hash = EMPTY_HASH;
  for (let i = 0; i <= lower.length; i++) {
    const unit = i < lower.length ? lower.charCodeAt(i) : SPACE;
    if (isWordUnit(unit)) {
      hash = extended(hash, unit === TYPOGRAPHIC_APOSTROPHE ? APOSTROPHE : unit);
      started = true;
    } else if (started) {
      const word = finished(hash);
      into.push(word);
      if (pairs && previous !== null) into.push(joined(previous, word));
      previous = word;
      hash = EMPTY_HASH;
      started = false;
    }
  }
}

/** Runs of three and four letters inside each word, its edges marked: endings and stems without a stemmer. */
export function pushLetterRuns(text: string, into: TermBuffer): void {
  const lower = text.toLowerCase();
  let start = -1;
  for (let i = 0; i <= lower.length; i++) {
    const inside = i < lower.length && isWordUnit(lower.charCodeAt(i));
    if (inside && start < 0) start = i;
    if (!inside && start >= 0) {
      pushRunsOfWord(lower, start, i, into);
      start = -1;
    }
  }
}

function pushRunsOfWord(text: string, start: number, end: number, into: TermBuffer): void {
  // The units before and after the word are spaces; three in hand, so that each letter is read once.
  let first = SPACE;
  let second = text.charCodeAt(start);
  let third = start + 1 < end ? text.charCodeAt(start + 1) : SPACE;
  for (let next = start + 2; next <= end + 1; next++) {
    const hash = extended(extended(extended(EMPTY_HASH, first), second), third);
    into.push(finished(hash));
    if (next > end) return;
    const fourth = next < end ? text.charCodeAt(next) : SPACE;
    into.push(finished(extended(hash, fourth)));
    first = second;
    second = third;
    third = fourth;
  }
}

export function pushLabel(label: string, into: TermBuffer): void {
  into.push(hashOf(label));
}

/** Letters, digits and apostrophes; everything above Latin-1's punctuation except the general punctuation block. */
export function isWordUnit(unit: number): boolean {
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || unit === APOSTROPHE;
  return (
    unit === TYPOGRAPHIC_APOSTROPHE ||
    (unit >= 0xc0 && (unit < 0x2000 || unit > 0x206f) && (unit < 0x3000 || unit > 0x303f))
  );
}
