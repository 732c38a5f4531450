/** A stretch of one text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Paragraphs are parted by a blank line. A text without blank lines (one line per paragraph, as many manuscripts are
 * saved) is parted at its line ends instead.
 */
export function splitParagraphs(text: string): Span[] {
  const byBlankLines = split(text, /\n[^\S\n]*\n\s*/g);
  if (byBlankLines.length > 1 || text.length < LONG_PARAGRAPH) return byBlankLines;
  return split(text, /\n\s*/g);
}

const LONG_PARAGRAPH = 5000;

function split(text: string, separator: RegExp): Span[] {
  const spans: Span[] = [];
  let start = text.length - text.trimStart().length;
  for (const match of text.matchAll(separator)) {
    if (match.index > start) spans.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  if (start < text.length) spans.push({ start, end: text.trimEnd().length });
  return spans.filter(({ start, end }) => end > start);
}

function isParagraphGap(gap: string): boolean {
  return /\n[^\S\n]*\n/.test(gap);
}

/**
 * A text as the map reads it: its words with their places, its paragraphs, and for every word whether a capital letter
 * there says anything. Arrays side by side, because a novel has more words than objects are worth making for.
 */
export interface ProseText {
  readonly text: string;
  readonly paragraphs: readonly Span[];
  readonly wordCount: number;
  /** In lower case, with a straight apostrophe; a possessive 's is cut off. */
  readonly words: readonly string[];
  /** Every word by its number in `vocabulary`, so that counting needs no strings. */
  readonly ids: Int32Array;
  readonly vocabulary: readonly string[];
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The paragraph each word stands in. */
  readonly paragraphOf: Uint32Array;
  readonly traits: Uint8Array;
}

/** The word begins with a capital letter. */
export const CAPITAL = 1;
/** A capital is expected here anyway: the start of a sentence, of a speech, of a line of verse. */
export const OPENS = 2;
/** All its letters are capitals, and it has more than one. */
export const SHOUTED = 4;
/** It ended in 's. */
export const POSSESSIVE = 8;
/** Only spaces (and the stop of an abbreviation) lie between it and the word before. */
export const ADJOINS = 16;

const WORD = /\p{L}+(?:['’]\p{L}+|-(?!-)\p{L}+)*/gu;
const CAPITAL_LETTER = /^\p{Lu}/u;
const POSSESSIVE_END = /['’]s$/i;
const ABBREVIATION = /^(?:mr|mrs|ms|dr|st|prof|rev|capt|col|gen|lt|sgt|maj|mme|mlle|hon|messrs|esq|jr|sr|\p{L})$/u;
/** After these a capital letter may be no more than the start of a sentence. */
const SENTENCE_GAP = /[.!?:;"“”«»‘([…—―*_]|--|^\s*['’]|\s['’]$|\s{3,}|['’]\s*$/u;

export function readProse(text: string): ProseText {
  const paragraphs = splitParagraphs(text);
  const capacity = Math.ceil(text.length / 3) + 1;
  const starts = new Uint32Array(capacity);
  const ends = new Uint32Array(capacity);
  const paragraphOf = new Uint32Array(capacity);
  const traits = new Uint8Array(capacity);
  const ids = new Int32Array(capacity);
  const words: string[] = [];
  const vocabulary: string[] = [];
  const known = new Map<string, number>();
  let paragraph = 0;
  let before = 0;
  for (const match of text.matchAll(WORD)) {
    const index = words.length;
    const start = match.index;
    const raw = match[0];
    while (paragraph + 1 < paragraphs.length && paragraphs[paragraph + 1]!.start <= start) paragraph++;
    const possessive = POSSESSIVE_END.test(raw);
    const bare = possessive ? raw.slice(0, -2) : raw;
    const gap = text.slice(before, start);
    starts[index] = start;
    ends[index] = start + raw.length;
    paragraphOf[index] = paragraph;
    traits[index] =
      (CAPITAL_LETTER.test(bare) ? CAPITAL : 0) |
      (bare.length > 1 && bare === bare.toUpperCase() ? SHOUTED : 0) |
      (possessive ? POSSESSIVE : 0) |
      gapTraits(gap, words[index - 1]);
    const word = bare.toLowerCase().replaceAll("’", "'");
    let id = known.get(word);
    if (id === undefined) {
      id = vocabulary.length;
      known.set(word, id);
      vocabulary.push(word);
    }
    ids[index] = id;
    words.push(vocabulary[id]!);
    before = start + raw.length;
  }
  const count = words.length;
  return {
    text,
    paragraphs,
    wordCount: count,
    words,
    ids: ids.slice(0, count),
    vocabulary,
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    paragraphOf: paragraphOf.slice(0, count),
    traits: traits.slice(0, count),
  };
}

function gapTraits(gap: string, previous: string | undefined): number {
  if (previous === undefined) return OPENS;
  if (gap === " ") return ADJOINS;
  if (isParagraphGap(gap)) return OPENS;
  if (/^\.\s+$/.test(gap) && ABBREVIATION.test(previous)) return ADJOINS;
  // Two spaces on one line stand where a file lost its dash, or part two sentences.
  if (/^\s+$/.test(gap)) return gap.includes("\n") ? ADJOINS : OPENS;
  return SENTENCE_GAP.test(gap) ? OPENS : 0;
}

/** The index of the first word that starts at or after `position`. */
export function wordAt(prose: ProseText, position: number): number {
  let low = 0;
  let high = prose.wordCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (prose.starts[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
