/** FNV-1a over the characters of a word, one at a time, so that no string is built. Finish with {@link finished}. */
export const EMPTY_HASH = 0x811c9dc5;

export function extended(hash: number, character: number): number {
  return Math.imul(hash ^ character, 0x01000193);
}

/** MurmurHash3's finaliser: every bit of the input reaches every bit of the result. */
export function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** What {@link finished} was given: it loses nothing. */
export function unfinished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7ed1b41d);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ (mixed >>> 26), 0xa5cb9243);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A hash of two hashes in order: how n-grams are made of tokens. */
export function joined(left: number, right: number): number {
  return finished(Math.imul(left, 0x9e3779b1) ^ Math.imul(right ^ 0x7feb352d, 0x846ca68b));
}

export function hashOf(word: string): number {
  let hash = EMPTY_HASH;
  for (let i = 0; i < word.length; i++) hash = extended(hash, word.charCodeAt(i));
  return finished(hash);
}
