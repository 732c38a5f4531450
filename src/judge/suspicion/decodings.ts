/** Letters of other scripts that look Latin, and digits that stand for letters, as used to disguise text. */
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

/**
 * What folding may change besides case: non-ASCII characters, and a digit or sign inside a word of Latin letters
 * (`ign0re`). Quotation marks and dashes, of which a novel has tens of thousands, stay; the long s and the Kelvin
 * sign count as ASCII letters.
 */
const SPECIAL = /[^\0-\x7f“”‘’—–\u017f\u212a]|(?<=[a-zA-Z\u017f\u212a])[013457@$](?=[a-zA-Z\u017f\u212a])/gu;

/** A piece of folded text: copied from the source letter by letter, or made from a single character. */
interface Stretch {
  readonly folded: number;
  readonly source: number;
  readonly isCopied: boolean;
}

/**
 * Text in lower case without disguises: full-width and mathematical letters, look-alikes in words that are otherwise
 * Latin, digits inside words, hidden characters and tag letters. `at` maps back to the source.
 */
function foldLookalikes(source: string): { text: string; at(start: number, end: number): [number, number] } {
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

/** A decoded text, with a mapping back to its position in the source. */
export interface Decoding {
  readonly text: string;
  readonly how: string | null;
  at(start: number, end: number): [number, number];
}

interface Encoding {
  readonly how: string;
  /** Whether the text can contain any of it; much faster than the pattern, which hardly any text matches. */
  mayBeIn(shape: Shape): boolean;
  readonly pattern: RegExp;
  decode(code: string): string | null;
}

const ENCODED: readonly Encoding[] = [
  {
    how: "in base64",
    mayBeIn: ({ longestCode }) => longestCode >= 24,
    pattern: /[A-Za-z0-9+/_-]{24,}={0,2}/g,
    decode: fromBase64,
  },
  {
    how: "in hexadecimal",
    mayBeIn: ({ longestHex }) => longestHex >= 32,
    pattern: /(?:[0-9a-f]{2}[\s:]?){16,}/gi,
    decode: fromHex,
  },
  {
    how: "as escapes",
    mayBeIn: ({ hasEscapes }) => hasEscapes,
    pattern:
      /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|&#x?[0-9a-f]+;|%[0-9a-f]{2}){6,}(?:[\w\s]*(?:\\u[0-9a-f]{4}|&#x?[0-9a-f]+;|%[0-9a-f]{2}))*/gi,
    decode: fromEscapes,
  },
];

/** Versions of a text that a model might understand: plain, without spelling tricks, reversed, shifted, and decoded. */
export function* decodings(source: string): Generator<Decoding> {
  const plain = foldLookalikes(source);
  yield { text: plain.text, how: null, at: plain.at };
  const shape = shapeOf(source);
  for (const { pattern, how, decode, mayBeIn } of ENCODED) {
    if (!mayBeIn(shape)) continue;
    for (const match of source.matchAll(pattern)) {
      const text = decode(match[0]);
      if (text === null) continue;
      const place: [number, number] = [match.index, match.index + match[0].length];
      yield { text: foldLookalikes(text).text, how, at: () => place };
    }
  }
  for (const match of shape.mostSingle >= FEWEST_SPACED ? source.matchAll(SPACED) : []) {
    const place: [number, number] = [match.index, match.index + match[0].length];
    // Between words, spaced-out letters have a wider gap, a slash or a dash.
    const words = match[0].split(/\s{2,}|\s*[/|]\s*/).map((word) => word.replace(/[\s.\-_*]/g, ""));
    for (const text of [words.join(" "), words.join("")])
      yield { text: withGaps(text.toLowerCase()), how: "in spaced letters", at: () => place };
  }
  for (const line of linesWith(source, /\b(?:vtaber|qvfertneq|fpber|vafgehpgvbaf?)\b/i)) {
    const at = (start: number, end: number): [number, number] => [line.start + start, line.start + end];
    yield { text: rotate(line.text).toLowerCase(), how: "in ROT13", at };
  }
  for (const line of linesWith(source, /(?:snoitcurtsni|erocs|erongi|tpmorp)/i)) {
    const at = (start: number, end: number): [number, number] => [line.end - end, line.end - start];
    yield { text: [...line.text].reverse().join("").toLowerCase(), how: "backwards", at };
  }
}

const SPACED = /(?:(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ \t.\-_*]{1,3}|\s*[/|]\s*)){10,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu;

/** The pattern for spaced-out letters requires ten and one more. */
const FEWEST_SPACED = 11;

/** What one pass over a text shows: whether it can contain anything encoded. */
interface Shape {
  /** The longest runs of characters used in base64 and in hexadecimal numbers. */
  readonly longestCode: number;
  readonly longestHex: number;
  /** The most single letters in a row. */
  readonly mostSingle: number;
  readonly hasEscapes: boolean;
}

const IN_CODE = 1;
const IN_HEX = 2;
const IS_ESCAPE = 4;
const IS_LETTER = 8;
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return (
    (/[A-Za-z0-9+/_-]/.test(character) ? IN_CODE : 0) |
    (/[0-9a-fA-F\s:]/.test(character) ? IN_HEX : 0) |
    (/[\\&%]/.test(character) ? IS_ESCAPE : 0) |
    (/[A-Za-z0-9]/.test(character) ? IS_LETTER : 0)
  );
});
/** Non-ASCII spaces, and signs that may be letters; neither ends a run. */
const OTHERS = IN_HEX | IS_LETTER;

function shapeOf(text: string): Shape {
  let [code, longestCode, hex, longestHex, single, mostSingle] = [0, 0, 0, 0, 0, 0];
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = unit < 128 ? KINDS[unit]! : OTHERS;
    seen |= kind;
    code = kind & IN_CODE ? code + 1 : 0;
    if (code > longestCode) longestCode = code;
    hex = kind & IN_HEX ? hex + 1 : 0;
    if (hex > longestHex) longestHex = hex;
    if ((kind & IS_LETTER) === 0) continue;
    // A word of plain letters ends a run of single ones.
    const next = text.charCodeAt(at + 1);
    if (unit < 128 && next < 128 && KINDS[next]! & IS_LETTER) single = 0;
    else if (++single > mostSingle) mostSingle = single;
  }
  return { longestCode, longestHex, mostSingle, hasEscapes: (seen & IS_ESCAPE) !== 0 };
}

/** Separates words that are typical of commands. */
function withGaps(text: string): string {
  return text
    .replace(/(ignore|disregard|all|the|previous|above|instructions?|give|score|maximum|perfect|100)/g, " $1 ")
    .replace(/\s+/g, " ");
}

function fromBase64(code: string): string | null {
  const decoded = Buffer.from(code, "base64").toString("utf8");
  return isReadable(decoded) ? decoded : null;
}

function fromHex(code: string): string | null {
  const decoded = Buffer.from(code.replace(/[\s:]/g, ""), "hex").toString("utf8");
  return isReadable(decoded) ? decoded : null;
}

function fromEscapes(code: string): string | null {
  return code
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]+);/gi, (_whole, unicode, byte, entity) =>
      character(Number.parseInt(unicode ?? byte ?? entity, 16)),
    )
    .replace(/&#(\d+);/g, (_whole, decimal) => character(Number(decimal)))
    .replace(/%([0-9a-f]{2})/gi, (_whole, byte) => character(Number.parseInt(byte, 16)));
}

function character(codePoint: number): string {
  return codePoint >= 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "";
}

/** Random letters decode to noise; a message decodes to words. */
function isReadable(text: string): boolean {
  const plain = text.match(/[\p{L}\p{N}\p{P}\s{}":]/gu)?.length ?? 0;
  return text.length >= 12 && plain / text.length > 0.95 && !text.includes("�");
}

function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

function* linesWith(source: string, sign: RegExp): Generator<{ text: string; start: number; end: number }> {
  if (!sign.test(source)) return;
  let start = 0;
  for (const text of source.split("\n")) {
    if (sign.test(text)) yield { text, start, end: start + text.length };
    start += text.length + 1;
  }
}
