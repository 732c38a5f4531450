/** Scripts that put no spaces between words: a character, with the marks that belong to it, stands for a word. */
const CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const PUNCTUATION = /\p{P}/gu;

/**
 * The text with a space on either side of each such character and without punctuation, so that what splits at spaces sees
 * comparable units. Any other text is returned as it is: the published rules for English hold to the letter.
 */
export function spaceCharacters(text: string): string {
  if (isAscii(text) || text.search(CHARACTER) < 0) return text;
  return text.replace(PUNCTUATION, " ").replace(CHARACTER, " $& ");
}

export function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text);
}
