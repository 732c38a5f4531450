/** A letter of another script than Latin. */
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
const OTHER_WORDS = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu;
/** Scripts that put no spaces between words: a character, with the marks that belong to it, stands for a word. */
const CHARACTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const OTHER_PUNCTUATION = /[^\P{P}!-~]/gu;

export function hasOtherScript(text: string): boolean {
  return !isAscii(text) && OTHER_LETTER.test(text);
}

/**
 * The text with every word of another script spelt out in code points ("北京" is "u21271 u20140"), and without that script's
 * punctuation. The published rules see Latin letters only, so two equal Chinese answers would share nothing; of the spelling
 * they see words like any other.
 */
export function spellOut(text: string): string {
  if (!hasOtherScript(text)) return text;
  const inCodes = (letters: string) => Array.from(letters, (letter) => `u${letter.codePointAt(0)}`).join("");
  return text
    .toLowerCase()
    .replace(OTHER_PUNCTUATION, " ")
    .replace(CHARACTERS, (character) => ` ${inCodes(character)} `)
    .replace(OTHER_WORDS, inCodes);
}

export function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text);
}
