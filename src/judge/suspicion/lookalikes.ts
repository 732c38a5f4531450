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

/** Anything that folding would change beyond case: most chapters have nothing of the kind, and need no second look. */
const DISGUISE =
  /[\u00ad\u0250-\u058f\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2100-\u218f\u2460-\u24ff\uff00-\uffef\ufeff]|[\ufe00-\ufe0f]|[\u{1d400}-\u{1d7ff}]|[\u{e0000}-\u{e01ef}]|[a-z][013457@$][a-z]/iu;

/**
 * Text in lower case with disguises taken off: full-width and mathematical letters, look-alikes in words that are
 * otherwise Latin, digits inside words, hidden characters and tag letters. `at` leads back to the source.
 */
export function foldLookalikes(source: string): { text: string; at(start: number, end: number): [number, number] } {
  if (!DISGUISE.test(source)) {
    const text = source.toLowerCase();
    if (text.length === source.length) return { text, at: (start, end) => [start, end] };
  }
  const units: string[] = [];
  const offsets: number[] = [];
  for (let position = 0; position < source.length; ) {
    const codePoint = source.codePointAt(position)!;
    const size = codePoint > 0xffff ? 2 : 1;
    const folded = foldOne(codePoint, source, position);
    for (const unit of folded) {
      units.push(unit);
      offsets.push(position);
    }
    position += size;
  }
  const text = units.join("");
  return { text, at: (start, end) => [offsets[start] ?? 0, (offsets[end - 1] ?? source.length - 1) + 1] };
}

function foldOne(codePoint: number, source: string, position: number): string {
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) return String.fromCharCode(codePoint - 0xe0000).toLowerCase();
  if (codePoint < 0x80) {
    const letter = String.fromCharCode(codePoint);
    // A digit or sign inside a word of Latin letters: `ign0re`.
    if (
      Object.hasOwn(LEET, letter) &&
      /[a-z]/i.test(source[position - 1] ?? "") &&
      /[a-z]/i.test(source[position + 1] ?? "")
    ) {
      return LEET[letter]!;
    }
    return letter.toLowerCase();
  }
  const character = String.fromCodePoint(codePoint);
  if (UNSEEN.test(character)) return "";
  const lookalike = LOOKALIKES[character.toLowerCase()];
  if (lookalike && /[a-z]/i.test((source[position - 1] ?? "") + (source[position + 1] ?? ""))) return lookalike;
  return character.normalize("NFKC").toLowerCase();
}
