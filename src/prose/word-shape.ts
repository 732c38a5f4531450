import { lowerCaseOf } from "./character-kinds.ts";
import { hashOf } from "./hashing.ts";

const LETTER_A = 97;

/** Endings that tell what a word does in its sentence, the longer before the shorter. */
const ENDINGS = [
  "ing",
  "ed",
  "ly",
  "ness",
  "tion",
  "ment",
  "ity",
  "ence",
  "ance",
  "ous",
  "ful",
  "less",
  "able",
  "al",
  "er",
  "est",
  "y",
  "s",
];

/** Endings of nouns that name a quality or an act rather than a thing. */
export const ABSTRACT_ENDINGS = ["ness", "tion", "ment", "ity", "ence", "ance"] as const;

interface Ending {
  readonly codes: Uint16Array;
  readonly hash: number;
}

/** By their last letter: most words end in none of them, and of the others only a few are looked at. */
const endingsByLetter: readonly (readonly Ending[])[] = Array.from({ length: 26 }, (_, letter) =>
  ENDINGS.filter((ending) => ending.charCodeAt(ending.length - 1) === LETTER_A + letter).map((ending) => ({
    codes: Uint16Array.from(ending, (character) => character.charCodeAt(0)),
    hash: endingHash(ending),
  })),
);
const PLAIN = hashOf("-");

export function endingHash(ending: string): number {
  return hashOf(`-${ending}`);
}

/** A content word without its matter: only its ending is kept, so that shapes carry over to other subjects. */
export function shapeOf(text: string, start: number, end: number): number {
  const endings = endingsByLetter[lowerCaseOf(text.charCodeAt(end - 1)) - LETTER_A];
  if (endings === undefined) return PLAIN;
  for (const { codes, hash } of endings) {
    if (end - start > codes.length + 2 && endsWith(text, end, codes)) return hash;
  }
  return PLAIN;
}

function endsWith(text: string, end: number, codes: Uint16Array): boolean {
  const from = end - codes.length;
  for (let i = 0; i < codes.length; i++) if (lowerCaseOf(text.charCodeAt(from + i)) !== codes[i]) return false;
  return true;
}
