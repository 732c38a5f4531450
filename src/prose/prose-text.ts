/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Paragraphs are separated by a blank line. In a text without blank lines (one line per paragraph, as in many
 * manuscripts), they are separated by line ends.
 */
export function splitParagraphs(text: string): Span[] {
  const byBlankLines = split(text, BLANK_LINES);
  if (byBlankLines.length > 1 || text.length < LONG_PARAGRAPH) return byBlankLines;
  return split(text, /\n\s*/g);
}

const LONG_PARAGRAPH = 5000;
const BLANK_LINES = /\n[^\S\n]*\n\s*/g;

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
 * A parsed text: its words with their positions, its paragraphs, and for every word whether a capital letter is
 * significant. It uses parallel arrays because a novel has too many words for one object each.
 */
export interface ProseText {
  readonly text: string;
  readonly paragraphs: readonly Span[];
  readonly wordCount: number;
  /** In lower case, with a straight apostrophe and without a possessive 's. */
  readonly words: readonly string[];
  /** The id of every word in `vocabulary`, so that counting needs no strings. */
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
/** A capital is expected here anyway: at the start of a sentence, a speech or a line of verse. */
export const OPENS = 2;
/** All its letters are capitals, and it has more than one. */
export const SHOUTED = 4;
/** It ended in 's. */
export const POSSESSIVE = 8;
/** Only spaces (and an abbreviation's full stop) lie between it and the previous word. */
export const ADJOINS = 16;

const UPPER_CASE = /^\p{Lu}/u;
const LETTER = /^\p{L}/u;
const ABBREVIATION = /^(?:mr|mrs|ms|dr|st|prof|rev|capt|col|gen|lt|sgt|maj|mme|mlle|hon|messrs|esq|jr|sr|\p{L})$/u;
/** After these characters a capital letter may only be the start of a sentence. */
const SENTENCE_GAP = /[.!?:;"“”«»‘([…—―*_]|--|^\s*['’]|\s['’]$|\s{3,}|['’]\s*$/u;

const NO_LETTER = 1;
const SMALL = 2;
const LARGE = 3;
/** By UTF-16 unit; 0 means "not seen yet". Half a surrogate pair cannot be classified. */
const KINDS = new Uint8Array(65536);

function kindAt(text: string, position: number): number {
  return KINDS[text.charCodeAt(position)] || learntKind(text, position);
}

function learntKind(text: string, position: number): number {
  if (position >= text.length) return NO_LETTER;
  const character = String.fromCodePoint(text.codePointAt(position)!);
  const kind = !LETTER.test(character) ? NO_LETTER : UPPER_CASE.test(character) ? LARGE : SMALL;
  const unit = text.charCodeAt(position);
  if (unit < 0xd800 || unit > 0xdfff) KINDS[unit] = kind;
  return kind;
}

/** The position after the letters that begin at `from`, if any. */
function afterLetters(text: string, from: number): number {
  let position = from;
  while (kindAt(text, position) !== NO_LETTER)
    position += text.charCodeAt(position) >>> 10 === HIGH_SURROGATE && position + 1 < text.length ? 2 : 1;
  return position;
}

const HIGH_SURROGATE = 0xd800 >>> 10;
const APOSTROPHE = 39;
const HYPHEN = 45;
const SPACE = 32;
const SMALL_S = 115;
const ASCII_LETTER_CASE = 32;
const isApostrophe = (unit: number) => unit === APOSTROPHE || unit === 0x2019;

/**
 * The position after a word: letters, with single apostrophes and hyphens between them. Characters are checked one at
 * a time, without a regular expression.
 */
function afterWord(text: string, start: number): number {
  let end = afterLetters(text, start);
  for (;;) {
    const unit = text.charCodeAt(end);
    if (!isApostrophe(unit) && unit !== HYPHEN) return end;
    const next = afterLetters(text, end + 1);
    if (next === end + 1) return end;
    end = next;
  }
}

export function readProse(text: string): ProseText {
  return readWords(text, splitParagraphs(text));
}

/** Parses one of several texts for `joinProse`: as there are several, blank lines separate its paragraphs. */
export function readPart(text: string): ProseText {
  return readWords(text, split(text, BLANK_LINES));
}

/**
 * Joins texts that were parsed separately, with the same result as parsing them together with blank lines between
 * them. This holds for two or more texts that neither begin nor end with white space.
 */
export function joinProse(parts: readonly ProseText[], blankLines: string): ProseText {
  const total = parts.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const [ids, starts, ends, paragraphOf] = [
    new Int32Array(total),
    new Uint32Array(total),
    new Uint32Array(total),
    new Uint32Array(total),
  ];
  const traits = new Uint8Array(total);
  const words: string[] = [];
  const vocabulary: string[] = [];
  const numbers = new Map<string, number>();
  const paragraphs: Span[] = [];
  let offset = 0;
  for (const part of parts) {
    const first = words.length;
    const firstParagraph = paragraphs.length;
    // Words are numbered in order of first occurrence, in a part as in the whole.
    const numberOf = Int32Array.from(part.vocabulary, (word) => {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      numbers.set(word, vocabulary.length);
      return vocabulary.push(word) - 1;
    });
    for (let word = 0; word < part.wordCount; word++) {
      const at = first + word;
      ids[at] = numberOf[part.ids[word]!]!;
      starts[at] = part.starts[word]! + offset;
      ends[at] = part.ends[word]! + offset;
      paragraphOf[at] = part.paragraphOf[word]! + firstParagraph;
      words.push(part.words[word]!);
    }
    traits.set(part.traits, first);
    for (const { start, end } of part.paragraphs) paragraphs.push({ start: start + offset, end: end + offset });
    offset += part.text.length + blankLines.length;
  }
  const text = parts.map((part) => part.text).join(blankLines);
  return { text, paragraphs, wordCount: total, words, ids, vocabulary, starts, ends, paragraphOf, traits };
}

function readWords(text: string, paragraphs: Span[]): ProseText {
  const capacity = Math.ceil(text.length / 3) + 1;
  const starts = new Uint32Array(capacity);
  const ends = new Uint32Array(capacity);
  const paragraphOf = new Uint32Array(capacity);
  const traits = new Uint8Array(capacity);
  const ids = new Int32Array(capacity);
  const words: string[] = [];
  const vocabulary = new Vocabulary();
  let paragraph = 0;
  let before = 0;
  for (let start = 0; start < text.length; ) {
    const kind = kindAt(text, start);
    if (kind === NO_LETTER) {
      start++;
      continue;
    }
    const end = afterWord(text, start);
    const index = words.length;
    while (paragraph + 1 < paragraphs.length && paragraphs[paragraph + 1]!.start <= start) paragraph++;
    const possessive =
      end - start > 2 &&
      (text.charCodeAt(end - 1) | ASCII_LETTER_CASE) === SMALL_S &&
      isApostrophe(text.charCodeAt(end - 2));
    const bareEnd = possessive ? end - 2 : end;
    starts[index] = start;
    ends[index] = end;
    paragraphOf[index] = paragraph;
    traits[index] =
      (kind === LARGE ? CAPITAL : 0) |
      (isShouted(text, start, bareEnd) ? SHOUTED : 0) |
      (possessive ? POSSESSIVE : 0) |
      (index > 0 && start === before + 1 && text.charCodeAt(before) === SPACE
        ? ADJOINS
        : gapTraits(text.slice(before, start), words[index - 1]));
    const id = vocabulary.numberOf(text, start, bareEnd);
    ids[index] = id;
    words.push(vocabulary.words[id]!);
    before = end;
    start = end;
  }
  const count = words.length;
  return {
    text,
    paragraphs,
    wordCount: count,
    words,
    ids: ids.slice(0, count),
    vocabulary: vocabulary.words,
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    paragraphOf: paragraphOf.slice(0, count),
    traits: traits.slice(0, count),
  };
}

function isShouted(text: string, start: number, end: number): boolean {
  if (end - start < 2) return false;
  const second = text.charCodeAt(start + 1);
  if (second >= 97 && second <= 122) return false;
  const word = text.slice(start, end);
  return word === word.toUpperCase();
}

/** Numbers words in order of first occurrence. A known word creates no string. */
class Vocabulary {
  readonly words: string[] = [];
  /** A word's number plus one; 0 is an empty slot. */
  #slots = new Int32Array(1 << 14);
  #hashes: number[] = [];

  numberOf(text: string, start: number, end: number): number {
    let hash = 0;
    for (let position = start; position < end; position++) {
      let unit = text.charCodeAt(position);
      if (unit > 127 && unit !== 0x2019) return this.#numberOfString(inLowerCase(text.slice(start, end)));
      if (unit === 0x2019) unit = APOSTROPHE;
      else if (unit >= 65 && unit <= 90) unit |= ASCII_LETTER_CASE;
      hash = mixed(hash, unit);
    }
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      if (this.#hashes[held - 1] === hash && isSameWord(text, start, end, this.words[held - 1]!)) return held - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(inLowerCase(text.slice(start, end)), hash, slot);
  }

  #numberOfString(word: string): number {
    let hash = 0;
    for (let position = 0; position < word.length; position++) hash = mixed(hash, word.charCodeAt(position));
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      if (this.#hashes[held - 1] === hash && this.words[held - 1] === word) return held - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(word, hash, slot);
  }

  #add(word: string, hash: number, slot: number): number {
    const number = this.words.push(word) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = number + 1;
    if (2 * this.words.length > this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

const mixed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193) ^ (hash >>> 13);

const inLowerCase = (word: string) => word.toLowerCase().replaceAll("’", "'");

/** For ASCII words: whether these letters, in lower case, are the known word. */
function isSameWord(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let position = start; position < end; position++) {
    let unit = text.charCodeAt(position);
    if (unit === 0x2019) unit = APOSTROPHE;
    else if (unit >= 65 && unit <= 90) unit |= ASCII_LETTER_CASE;
    if (unit !== word.charCodeAt(position - start)) return false;
  }
  return true;
}

function gapTraits(gap: string, previous: string | undefined): number {
  if (previous === undefined) return OPENS;
  if (gap === " ") return ADJOINS;
  if (isParagraphGap(gap)) return OPENS;
  if (/^\.\s+$/.test(gap) && ABBREVIATION.test(previous)) return ADJOINS;
  // Two spaces on one line replace a dash that the file lost, or separate two sentences.
  if (/^\s+$/.test(gap)) return gap.includes("\n") ? ADJOINS : OPENS;
  return SENTENCE_GAP.test(gap) ? OPENS : 0;
}

/** By word id: the result of `mark`. A book has a tenth as many distinct words as words, so each is evaluated once. */
export function markedWords({ vocabulary }: ProseText, mark: (word: string) => number): Uint8Array {
  const marks = new Uint8Array(vocabulary.length);
  for (let id = 0; id < marks.length; id++) marks[id] = mark(vocabulary[id]!);
  return marks;
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
