import { countLeading } from "../core/count-leading.ts";

const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]+/g;
/** Any space but a single plain one. */
const UNEVEN_SPACE = / {2,}\s*|[\t\n\v\f\r\u00A0\u1680\u2000-\u200A\u2029\u202F\u205F\u3000]\s*/g;

/** One space between words, none at the ends, and no soft hyphens or invisible joiners. */
export function singleSpaced(text: string): string {
  const trimmed = text.trim();
  return isEven(trimmed) ? trimmed : trimmed.replace(INVISIBLE, "").replace(UNEVEN_SPACE, " ").trim();
}

/** Soft hyphens and invisible joiners, which no reader sees, would cut a word in two: "lan" and "tern". */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** Almost every paragraph is evenly spaced: two plain searches show that faster than the patterns above. */
function isEven(text: string): boolean {
  return !TWO_SPACES.test(text) && !ODD.test(text);
}

/** As a pattern with a count, it is three times as fast as a search for two spaces (V8 of Node 20). */
export const TWO_SPACES = / {2}/;
/** What `INVISIBLE` and `UNEVEN_SPACE` match, except the second of two spaces. */
const ODD = /[\t\n\v\f\r\u00A0\u00AD\u1680\u2000-\u200B\u2029\u202F\u205F\u2060\u3000\uFEFF]/;

/**
 * Words as a reader counts them: runs of letters and digits, with inner apostrophes and hyphens kept, and each Han or kana
 * character on its own, since those scripts put no space between words.
 *
 * One pass over UTF-16 code units with a table instead of a regular expression: counting is on the path of every file read.
 *
 * @example
 * ```ts
 * countWords("Don't look back, half-awake."); // 4
 * countWords("吾輩は猫である"); // 7
 * ```
 */
export function countWords(text: string, start = 0, end = text.length): number {
  // A local name, because a name of the module is looked up again in each round.
  const kinds = KINDS;
  let count = 0;
  /** 1 inside a word, else 0: without a branch, because no processor can guess where a word ends. */
  let inside = 0;
  let position = start;
  while (position < end) {
    const unit = text.charCodeAt(position);
    const known = kinds[unit]!;
    // Either of the first two kinds, checked in one branch that is almost always taken.
    if ((known - OTHER) >>> 1 === 0) {
      const isLetter = known - OTHER;
      count += isLetter & ~inside;
      inside = isLetter;
      position++;
      continue;
    }
    switch (kindAt(text, position)) {
      case LETTER:
        count += 1 - inside;
        inside = 1;
        break;
      case IDEOGRAPH:
        count++;
        inside = 0;
        break;
      case JOINER:
        // A joiner keeps a word open; unless a letter follows at once, the word ends here.
        inside &= position + 1 < end && kindAt(text, position + 1) === LETTER ? 1 : 0;
        break;
      default:
        inside = 0;
    }
    position += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return count;
}

/** `countWords` for many parts of one text, which is read once for all of them. */
export function wordCounter(text: string): (start: number, end: number) => number {
  // Places directly after a space, where no word continues, and the number of words before each.
  const places: number[] = [];
  const before: number[] = [];
  let counted = 0;
  let from = 0;
  for (let space = text.indexOf(" ", STEP); space !== -1; space = text.indexOf(" ", from + STEP)) {
    counted += countWords(text, from, space + 1);
    from = space + 1;
    places.push(from);
    before.push(counted);
  }
  const firstFrom = (position: number) => countLeading(places, (place) => place < position);
  return (start, end) => {
    const first = firstFrom(start);
    const last = firstFrom(end + 1) - 1;
    if (last <= first) return countWords(text, start, end);
    const between = before[last]! - before[first]!;
    return countWords(text, start, places[first]) + between + countWords(text, places[last], end);
  };
}

const STEP = 256;

const OTHER = 1;
const LETTER = 2;
const IDEOGRAPH = 3;
const JOINER = 4;

/**
 * 0 means "not seen yet": the table fills with what texts contain, so start-up costs nothing. Half a surrogate pair has no kind
 * of its own, so its place stays empty.
 */
const KINDS = new Uint8Array(65536);
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTERS = /^[\p{L}\p{N}\p{M}]/u;
const JOINERS = "'’-";

function kindAt(text: string, position: number): number {
  return KINDS[text.charCodeAt(position)] || learn(text, position);
}

function learn(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  const kind = kindOf(String.fromCodePoint(text.codePointAt(position) ?? 0));
  if (unit < 0xd800 || unit > 0xdfff) KINDS[unit] = kind;
  return kind;
}

function kindOf(character: string): number {
  if (IDEOGRAPHS.test(character)) return IDEOGRAPH;
  if (LETTERS.test(character)) return LETTER;
  return JOINERS.includes(character) ? JOINER : OTHER;
}
