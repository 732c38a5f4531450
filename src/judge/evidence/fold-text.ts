/** A text with the offsets that its characters came from. */
export interface FoldedText {
  readonly text: string;
  readonly offsets: Uint32Array;
}

/**
 * Text as it matters for finding a quotation: letters and digits in lower case, accents kept, everything else one space.
 * So curly and straight quotes, dashes, line ends and soft hyphens make no difference. An apostrophe inside a word is
 * dropped, as models write both kinds and none. Between ideographs nothing stands for punctuation, as there are no spaces.
 */
export function foldText(source: string): FoldedText {
  const units: string[] = [];
  const offsets = new Uint32Array(source.length + 8);
  let count = 0;
  let gap = false;
  let afterIdeograph = false;
  for (let at = 0; at < source.length; ) {
    const codePoint = source.codePointAt(at)!;
    const size = codePoint > 0xffff ? 2 : 1;
    const letter = foldedLetter(codePoint);
    if (letter === null) {
      if (!isDropped(codePoint)) gap = count > 0;
    } else {
      const ideograph = isIdeograph(codePoint);
      if (gap && !(ideograph && afterIdeograph)) {
        units.push(" ");
        offsets[count++] = at;
      }
      gap = false;
      afterIdeograph = ideograph;
      units.push(letter);
      for (let unit = 0; unit < letter.length && count < offsets.length; unit++) offsets[count++] = at;
    }
    at += size;
  }
  return { text: units.join(""), offsets: offsets.subarray(0, count) };
}

const LETTER = /[\p{L}\p{N}\p{M}]/u;

function foldedLetter(codePoint: number): string | null {
  if (codePoint < 0x80) {
    if (codePoint >= 0x61 && codePoint <= 0x7a) return ASCII[codePoint]!;
    if (codePoint >= 0x41 && codePoint <= 0x5a) return ASCII[codePoint + 32]!;
    if (codePoint >= 0x30 && codePoint <= 0x39) return ASCII[codePoint]!;
    return null;
  }
  const character = String.fromCodePoint(codePoint);
  if (!LETTER.test(character)) return null;
  const folded = character.normalize("NFKC").toLowerCase();
  // One character in, one out: a ligature or a capital that unfolds to two keeps its place with its first.
  return folded.length > 2 ? folded.slice(0, 1) : folded;
}

function isIdeograph(codePoint: number): boolean {
  return (codePoint >= 0x3040 && codePoint <= 0x30ff) || (codePoint >= 0x3400 && codePoint <= 0x9fff);
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Apostrophes, soft hyphens and zero-width characters: they separate nothing. */
function isDropped(codePoint: number): boolean {
  return (
    codePoint === 0x27 ||
    codePoint === 0x2019 ||
    codePoint === 0x2018 ||
    codePoint === 0xad ||
    (codePoint >= 0x200b && codePoint <= 0x200f) ||
    codePoint === 0x2060 ||
    codePoint === 0xfeff
  );
}
