/** Readers rate a longer story higher as long as it is short; from this many words on, length says nothing. */
const FULL_LENGTH = 450;
/** A matter of conditioning: how freely length is used beside everything else. */
const SCALE = 0.4;

/** 0 for a text of full length, and less the shorter it is. A chapter or a book is never rated by its length. */
export function storyLength(words: number): number {
  return SCALE * Math.log(Math.min(Math.max(words, 1), FULL_LENGTH) / FULL_LENGTH);
}
