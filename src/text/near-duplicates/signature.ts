// What the loop over a text uses is declared before it and not exported: either makes the loop ten times slower in Node 20.
/** Characters in a shingle: long enough that two novels share almost none by chance, in English and in Chinese. */
const SHINGLE_LENGTH = 8;
const BIN_GROUPS = 5;
const BINS = BIN_GROUPS * 64;

const EMPTY = 0xffffffff;

const MULTIPLIER = 0x01000193;
const LEAVING = Array.from({ length: SHINGLE_LENGTH }).reduce<number>((power) => Math.imul(power, MULTIPLIER), 1);

/** Bins of a signature: two per band (see `bands.ts`). */
export const SIGNATURE_BINS = BINS;

/**
 * One-permutation MinHash (Li, Owen and Zhang 2012): each shingle is hashed once, falls into a bin by one half of its hash
 * and competes there for the minimum by the other. The share of equal bins estimates the Jaccard similarity of two texts'
 * shingle sets. One hash per shingle instead of 320, and one pass over the text without making a string.
 */
export function signatureOf(text: string, signature = new Uint32Array(BINS), offset = 0): Uint32Array {
  const bins = signature.subarray(offset, offset + BINS).fill(EMPTY);
  // Space and case are set aside on the fly: the rolling hash sees what is left.
  const window = new Uint16Array(SHINGLE_LENGTH);
  let filled = 0;
  let hash = 0;
  for (let position = 0; position < text.length; position++) {
    let unit = text.charCodeAt(position);
    if (unit <= 32 || unit === 0xa0 || unit === 0x3000) continue;
    if (unit >= 65 && unit <= 90) unit += 32;
    const slot = filled % SHINGLE_LENGTH;
    // Leaves the oldest character of the window, takes the new one.
    hash = (Math.imul(hash, MULTIPLIER) + unit - Math.imul(filled >= SHINGLE_LENGTH ? window[slot]! : 0, LEAVING)) | 0;
    window[slot] = unit;
    filled++;
    if (filled < SHINGLE_LENGTH) continue;
    const place = mix(hash, 0x85ebca6b);
    // The remainder by BINS, in numbers small enough for integers: of 32 bits, Node 20 takes it in floating point, six times as slowly.
    const bin = ((place >>> 6) % BIN_GROUPS) * 64 + (place & 63);
    const value = mix(hash, 0xc2b2ae35);
    if (value < bins[bin]!) bins[bin] = value;
  }
  densify(bins);
  return signature;
}

/** The finaliser of MurmurHash3, with the multiplier as a parameter so that one hash gives two. */
function mix(hash: number, multiplier: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, multiplier);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0x27d4eb2f);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A short text leaves bins empty: each borrows from the next filled one, at a distance that both texts share. */
function densify(bins: Uint32Array): void {
  if (!bins.some((value) => value !== EMPTY)) return;
  const original = bins.slice();
  for (let bin = 0; bin < bins.length; bin++) {
    if (original[bin] !== EMPTY) continue;
    let distance = 1;
    while (original[(bin + distance) % bins.length] === EMPTY) distance++;
    bins[bin] = (original[(bin + distance) % bins.length]! + Math.imul(distance, 0x9e3779b1)) >>> 0;
  }
}

/** The estimated Jaccard similarity of two texts from their rows in one table of signatures. */
export function estimateJaccard(signatures: Uint32Array, left: number, right: number): number {
  let equal = 0;
  const leftFrom = left * SIGNATURE_BINS;
  const rightFrom = right * SIGNATURE_BINS;
  for (let bin = 0; bin < SIGNATURE_BINS; bin++)
    if (signatures[leftFrom + bin] === signatures[rightFrom + bin]) equal++;
  return equal / SIGNATURE_BINS;
}
