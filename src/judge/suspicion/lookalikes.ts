/** Letters of other scripts that look Latin, and digits that stand for letters, as disguises use them. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  х: "x",
  у: "y",
  і: "i",
  ѕ: "s",
  ј: "j",
  һ: "h",
  ԁ: "d",
  ɡ: "g",
  ո: "n",
  ս: "u",
  α: "a",
  ο: "o",
  ν: "v",
  ι: "i",
  κ: "k",
  ρ: "p",
  τ: "t",
  υ: "u",
  ε: "e",
  ⅼ: "l",
  ꓲ: "i",
};
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;
const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

/** What folding may change beyond case: anything that is not ASCII, and a digit or sign inside a word of Latin letters (`ign0re`). */
const SPECIAL = /[^\0-\x7f]|(?<=[a-z])[013457@$](?=[a-z])/giu;

/** A stretch of folded text: copied from the source letter by letter, or made from the one character there. */
interface Stretch {
  readonly folded: number;
  readonly source: number;
  readonly isCopied: boolean;
}

/**
 * Text in lower case with disguises taken off: full-width and mathematical letters, look-alikes in words that are
 * otherwise Latin, digits inside words, hidden characters and tag letters. `at` leads back to the source.
 */
export function foldLookalikes(source: string): { text: string; at(start: number, end: number): [number, number] } {
  const parts: string[] = [];
  const stretches: Stretch[] = [];
  let length = 0;
  const add = (part: string, position: number, isCopied: boolean) => {
    if (part === "") return;
    stretches.push({ folded: length, source: position, isCopied });
    parts.push(part);
    length += part.length;
  };
  let copied = 0;
  for (const { index, 0: character } of source.matchAll(SPECIAL)) {
    add(source.slice(copied, index).toLowerCase(), copied, true);
    add(foldOne(character, source, index), index, false);
    copied = index + character.length;
  }
  add(source.slice(copied).toLowerCase(), copied, true);
  const sourceOf = (position: number): number => {
    const stretch = stretches[lastAtOrBefore(stretches, position)];
    if (!stretch) return 0;
    return stretch.isCopied ? stretch.source + position - stretch.folded : stretch.source;
  };
  return { text: parts.join(""), at: (start, end) => [sourceOf(start), sourceOf(end - 1) + 1] };
}

function lastAtOrBefore(stretches: readonly Stretch[], position: number): number {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (stretches[middle]!.folded <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function foldOne(character: string, source: string, position: number): string {
  const codePoint = character.codePointAt(0)!;
  if (codePoint < 0x80) return LEET[character]!;
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) return String.fromCharCode(codePoint - 0xe0000).toLowerCase();
  if (UNSEEN.test(character)) return "";
  const lookalike = LOOKALIKES[character.toLowerCase()];
  if (lookalike && /[a-z]/i.test((source[position - 1] ?? "") + (source[position + 1] ?? ""))) return lookalike;
  return character.normalize("NFKC").toLowerCase();
}
