/** What a character is to the scanner. Letters beyond Latin count as foreign: the judge reads English. */
export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
export const SPACE = 4;
export const NEWLINE = 5;
export const PUNCTUATION = 6;
/** Emphasis and other marks of Markdown: they are layout, so they are passed over. */
export const MARKUP = 7;
export const FOREIGN = 8;

const TABLE_SIZE = 0x2100;
const FOREIGN_LETTER = /\p{L}/u;

const kinds = new Uint8Array(TABLE_SIZE);
const lowerCase = new Uint16Array(TABLE_SIZE);

for (let code = 0; code < TABLE_SIZE; code++) {
  const character = String.fromCharCode(code);
  const lower = character.toLowerCase();
  lowerCase[code] = lower.charCodeAt(0);
  if (/[0-9]/.test(character)) kinds[code] = DIGIT;
  else if (character === "\n") kinds[code] = NEWLINE;
  else if (/\s/.test(character)) kinds[code] = SPACE;
  else if (/[*_#`>~]/.test(character)) kinds[code] = MARKUP;
  else if (/[.,;:?!"“”„«»()‐‑–—―…'‘’-]/.test(character)) kinds[code] = PUNCTUATION;
  else if (/\p{Script=Latin}/u.test(character) && FOREIGN_LETTER.test(character)) {
    kinds[code] = lower === character ? LOWER : UPPER;
  } else if (FOREIGN_LETTER.test(character)) kinds[code] = FOREIGN;
}

export function characterKind(code: number): number {
  if (code < TABLE_SIZE) return kinds[code]!;
  // Han, kana, Hangul and everything else that far up: letters or not, it is nothing the judge can read.
  return code === 0x3000 || code === 0xfeff ? SPACE : code >= 0x2e80 ? FOREIGN : OTHER;
}

export function lowerCaseOf(code: number): number {
  return code < TABLE_SIZE ? lowerCase[code]! : code;
}
