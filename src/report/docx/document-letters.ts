/**
 * The letters and digits of a Word document's body, each with its position in the XML. Spaces, quotation marks and
 * dashes are left out: formats differ in them, so only letters can be matched reliably.
 */
export interface DocumentLetters {
  readonly letters: string;
  /** For each letter: the index of its text run, and its offset within the run. */
  readonly pieces: readonly TextRun[];
  readonly pieceOf: Int32Array;
  readonly offsets: Int32Array;
}

/** The content of one `w:t` element. */
export interface TextRun {
  /** Positions in the XML of the run that contains it, and of its text. */
  readonly run: { readonly start: number; readonly end: number; readonly properties: string };
  readonly open: number;
  readonly start: number;
  readonly end: number;
  /** Decoded, with the position in the XML of each character, and one more for the end. */
  readonly text: string;
  readonly places: readonly number[];
  /** Whether it is the first, or the last, item in its run. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly paragraph: number;
}

const RUN = /<w:r(?:\s[^>]*[^>/])?>([\s\S]*?)<\/w:r>/g;
const PROPERTIES = /^\s*<w:rPr(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/w:rPr>)/;
const TEXT = /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>/g;
/** Text that is not visible: deleted text, a field's code, or the alternative form of a drawing. */
const HIDDEN =
  /<w:del(?:\s[^>]*[^>/])?>[\s\S]*?<\/w:del>|<mc:Fallback[\s>][\s\S]*?<\/mc:Fallback>|<w:txbxContent[\s>][\s\S]*?<\/w:txbxContent>/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function documentLetters(xml: string): DocumentLetters {
  const pieces = textRuns(xml);
  const letters: string[] = [];
  const pieceOf: number[] = [];
  const offsets: number[] = [];
  for (const [piece, { text }] of pieces.entries()) {
    for (let offset = 0; offset < text.length; offset++) {
      const character = text[offset]!;
      if (!isLetter(character)) continue;
      letters.push(character);
      pieceOf.push(piece);
      offsets.push(offset);
    }
  }
  return {
    letters: letters.join(""),
    pieces,
    pieceOf: Int32Array.from(pieceOf),
    offsets: Int32Array.from(offsets),
  };
}

/** Whether a code unit counts; each half of a surrogate pair does, too. */
export function isLetter(unit: string): boolean {
  return /[\p{L}\p{N}\p{M}\ud800-\udfff]/u.test(unit);
}

export function lettersOf(text: string): string {
  let letters = "";
  for (let at = 0; at < text.length; at++) if (isLetter(text[at]!)) letters += text[at];
  return letters;
}

function textRuns(xml: string): TextRun[] {
  // Replaced by the same number of spaces, so that positions do not change.
  const visible = xml.replace(HIDDEN, (hidden) => " ".repeat(hidden.length));
  const pieces: TextRun[] = [];
  let paragraph = 0;
  let counted = 0;
  for (const run of visible.matchAll(RUN)) {
    paragraph += countOf(visible.slice(counted, run.index), /<w:p[ >]/g);
    counted = run.index;
    const inside = run.index + run[0].indexOf(">") + 1;
    const properties = PROPERTIES.exec(run[1]!)?.[0] ?? "";
    const texts = [...run[1]!.matchAll(TEXT)];
    for (const text of texts) {
      const open = inside + text.index;
      const start = open + text[0].indexOf(">") + 1;
      const raw = text[1]!;
      const before = run[1]!.slice(properties.length, text.index);
      const after = run[1]!.slice(text.index + text[0].length);
      pieces.push({
        run: { start: run.index, end: run.index + run[0].length, properties: properties.trim() },
        open,
        start,
        end: start + raw.length,
        paragraph,
        ...decoded(raw, start),
        isFirst: before.trim() === "",
        isLast: after.trim() === "",
      });
    }
  }
  return pieces;
}

function decoded(raw: string, start: number): { text: string; places: number[] } {
  let text = "";
  const places: number[] = [];
  for (const { 0: token, index } of raw.matchAll(/&(#x?[0-9a-f]+|\w+);|[\s\S]/gi)) {
    const characters = token.length > 1 ? entity(token.slice(1, -1)) : token;
    for (const unit of characters.split("")) {
      text += unit;
      places.push(start + index);
    }
  }
  places.push(start + raw.length);
  return { text, places };
}

function entity(name: string): string {
  if (!name.startsWith("#")) return NAMED[name] ?? "";
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return Number.isFinite(code) && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
