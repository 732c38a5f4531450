/**
 * Words and letter runs as 24-bit hashes: no string is built, no vocabulary is shipped. FNV-1a over UTF-16 units, then
 * MurmurHash3's finaliser so that neighbouring words do not land together.
 */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
export const TERM_BITS = 24;

export class TermBuffer {
  private terms = new Uint32Array(4096);
  length = 0;

  push(hash: number): void {
    if (this.length === this.terms.length) {
      const larger = new Uint32Array(this.terms.length * 2);
      larger.set(this.terms);
      this.terms = larger;
    }
    this.terms[this.length++] = finished(hash) >>> (32 - TERM_BITS);
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
  let previous = 0;
  let started = false;
  let hash = FNV_OFFSET;
  for (let i = 0; i <= lower.length; i++) {
    const unit = i < lower.length ? lower.charCodeAt(i) : 32;
    if (isWordUnit(unit)) {
      hash = Math.imul(hash ^ (unit === 0x2019 ? 39 : unit), FNV_PRIME);
      started = true;
    } else if (started) {
      into.push(hash);
      if (pairs && previous !== 0) into.push(Math.imul(previous, 0x9e3779b1) ^ hash);
      previous = hash;
      hash = FNV_OFFSET;
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
  const unitAt = (position: number) => (position < start || position >= end ? 32 : text.charCodeAt(position));
  for (let first = start - 1; first + 3 <= end + 1; first++) {
    let hash = FNV_OFFSET;
    for (let i = 0; i < 3; i++) hash = Math.imul(hash ^ unitAt(first + i), FNV_PRIME);
    into.push(hash);
    if (first + 4 <= end + 1) into.push(Math.imul(hash ^ unitAt(first + 3), FNV_PRIME));
  }
}

export function pushLabel(label: string, into: TermBuffer): void {
  let hash = FNV_OFFSET;
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), FNV_PRIME);
  into.push(hash);
}

/** Letters, digits and apostrophes; everything above Latin-1's punctuation except the general punctuation block. */
export function isWordUnit(unit: number): boolean {
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || unit === 39;
  return unit === 0x2019 || (unit >= 0xc0 && (unit < 0x2000 || unit > 0x206f) && (unit < 0x3000 || unit > 0x303f));
}

function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
