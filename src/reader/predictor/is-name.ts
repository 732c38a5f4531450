import { isGivenName } from "../../prose/characters/given-names.ts";
import { isWordUnit } from "./terms.ts";

/**
 * Whether a word of a review is somebody's name: written with a capital inside a sentence and never small, or opening
 * sentences only but known as a given name. Shouted words (GREAT) are no names.
 */
export function isName(word: string, texts: readonly string[]): boolean {
  const plain = word.replace(/['’]s$/, "");
  let capitals = 0;
  let inside = 0;
  for (const text of texts) {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(plain); at >= 0; at = lower.indexOf(plain, at + plain.length)) {
      if (!isWhole(lower, at, plain.length)) continue;
      const written = text.slice(at, at + plain.length);
      if (written === plain) return false;
      if (written === written.toUpperCase()) continue;
      capitals++;
      if (!opensSentence(text, at)) inside++;
    }
  }
  return inside > 0 || (capitals > 0 && isGivenName(plain));
}

function isWhole(lower: string, at: number, length: number): boolean {
  const before = at > 0 && isWordUnit(lower.charCodeAt(at - 1));
  const end = at + length;
  const after =
    end < lower.length && isWordUnit(lower.charCodeAt(end)) && !/^['’]s(?![\p{L}])/u.test(lower.slice(end, end + 3));
  return !before && !after;
}

function opensSentence(text: string, at: number): boolean {
  return /(?:^|[.!?…:;“"‘'(\n\-–—*])\s*$/.test(text.slice(Math.max(0, at - 4), at));
}
