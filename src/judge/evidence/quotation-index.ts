import { setImmediate as nextTurn } from "node:timers/promises";
import { isPlaceholderText } from "../../models/placeholder-value.ts";
import type { Chapter } from "../../text/book.ts";

/** A folded text with the original offset of each character. */
interface FoldedText {
  readonly text: string;
  readonly offsets: Uint32Array;
}

/**
 * Folds text for finding quotations: letters and digits in lower case with their accents, and one space for anything
 * else. Curly and straight quotes, dashes, line ends and soft hyphens thus make no difference. An apostrophe inside a
 * word is dropped, since models write both kinds or none. Between ideographs, which have no spaces, punctuation is
 * dropped too.
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
  // One character in, one out: for a ligature or capital that unfolds to two characters, only the first is kept.
  return folded.length > 2 ? folded.slice(0, 1) : folded;
}

function isIdeograph(codePoint: number): boolean {
  return (codePoint >= 0x3040 && codePoint <= 0x30ff) || (codePoint >= 0x3400 && codePoint <= 0x9fff);
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Apostrophes, soft hyphens and zero-width characters, which separate nothing. */
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

/** Bits of a word that JavaScript's integer operators work on. */
const BITS = 32;

/**
 * A pattern for approximate matching that compares 32 of its letters at once with a letter of the text: Myers'
 * bit-vector algorithm (1999) in Hyyrö's block form. It finds the same number of edits as Sellers' table at a
 * thirtieth of the cost, but not where the match begins, so it selects the windows that are worth the table.
 */
export class BitPattern {
  readonly #length: number;
  readonly #blocks: number;
  /** For each letter, the positions in the pattern where it occurs, one bit each. */
  readonly #places = new Map<number, Int32Array>();
  readonly #none: Int32Array;
  /** The vertical differences in the table's current column that are +1, and those that are −1. */
  readonly #rising: Int32Array;
  readonly #falling: Int32Array;

  constructor(wanted: string) {
    this.#length = wanted.length;
    this.#blocks = Math.max(1, Math.ceil(wanted.length / BITS));
    this.#none = new Int32Array(this.#blocks);
    this.#rising = new Int32Array(this.#blocks);
    this.#falling = new Int32Array(this.#blocks);
    for (let at = 0; at < wanted.length; at++) {
      const code = wanted.charCodeAt(at);
      let places = this.#places.get(code);
      if (!places) {
        places = new Int32Array(this.#blocks);
        this.#places.set(code, places);
      }
      places[Math.floor(at / BITS)]! |= 1 << (at % BITS);
    }
  }

  /** The smallest number of edits between the whole pattern and any part of `text` between the two positions. */
  leastEdits(text: string, from: number, to: number): number {
    if (this.#length === 0) return 0;
    const rising = this.#rising.fill(-1);
    const falling = this.#falling.fill(0);
    const last = this.#blocks - 1;
    const lastBit = 1 << ((this.#length - 1) % BITS);
    let edits = this.#length;
    let least = edits;
    for (let at = from; at < to; at++) {
      const places = this.#places.get(text.charCodeAt(at)) ?? this.#none;
      // The horizontal difference passed from one block to the next. It starts at 0 because a match may begin
      // anywhere.
      let carried = 0;
      for (let block = 0; block <= last; block++) {
        const up = rising[block]!;
        const down = falling[block]!;
        const same = places[block]!;
        const lowered = carried < 0 ? 1 : 0;
        const equal = same | lowered;
        const vertical = same | down;
        const horizontal = ((((equal & up) + up) | 0) ^ up) | equal;
        let plus = down | ~(horizontal | up);
        let minus = up & horizontal;
        const edge = block === last ? lastBit : 1 << (BITS - 1);
        const handed = (plus & edge) !== 0 ? 1 : (minus & edge) !== 0 ? -1 : 0;
        plus = (plus << 1) | (carried > 0 ? 1 : 0);
        minus = (minus << 1) | lowered;
        rising[block] = minus | ~(vertical | plus);
        falling[block] = plus & vertical;
        carried = handed;
      }
      edits += carried;
      if (edits < least) least = edits;
    }
    return least;
  }
}

/** Where a quotation was found. Offsets point into the chapter's text. */
export interface QuotationMatch {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly match: "exact" | "normalised" | "fuzzy";
  readonly similarity: number;
}

interface FoldedChapter {
  readonly chapter: Chapter;
  /** Only letters, digits and single spaces, in lower case. */
  readonly text: string;
  /** For each character of `text`, its offset in the chapter. */
  readonly offsets: Uint32Array;
}

/** With a smaller share of equal letters it is another passage. */
const LEAST_SIMILARITY = 0.8;
/** A shorter quotation would match almost anywhere if letters may differ. */
const LEAST_LETTERS_FOR_FUZZY = 12;
/** How many of a passage's rarest words are used to select the chapters to search. */
const DECIDING_WORDS = 3;
const CANDIDATES = 6;
const ANCHORS = 8;
/** A word that occurs more often does not help to locate a passage. */
const COMMON = 4000;
/** A position in the book is one number: the chapter's position times this, plus the offset in its folded text. */
const CHAPTER = 2 ** 32;

/**
 * Finds quotations in a book: letter by letter, then without regard to case, quotes, dashes and spaces, then nearly. The
 * folded text and the word index are made once, on first need; a lookup then costs about as much as the rarest words of
 * the quotation occur, not as much as the book is long.
 *
 * @example
 * ```ts
 * const { chapters } = await readBook("novel.epub");
 * const found = new QuotationIndex(chapters).find("the clocks were striking thirteen");
 * if (found) console.log(found.chapter, found.match, found.similarity);
 * ```
 */
export class QuotationIndex {
  readonly #chapters: readonly Chapter[];
  readonly #folded: FoldedChapter[] = [];
  readonly #words = new Map<string, number[]>();

  constructor(chapters: readonly Chapter[]) {
    this.#chapters = chapters;
  }

  /** Indexes chapter by chapter and yields in between; a search indexes what is missing at once. */
  async prepare(): Promise<void> {
    while (this.#layNext()) await nextTurn();
  }

  /** `chapter` is where the quotation is expected; it is searched first. */
  find(quotation: string, chapter?: number): QuotationMatch | null {
    const quote = quotation.trim();
    if (quote === "" || isPlaceholderText(quote)) return null;
    while (this.#layNext());
    const parts = ellipsisParts(quote).map((part) => foldText(part).text.trim());
    const chapters = inOrder(this.#chaptersWith(parts[0] ?? ""), ({ chapter: { index } }) => index === chapter);
    return this.#findExact(quote, chapters) ?? this.#findFolded(parts, chapters) ?? this.#findNearly(quote, chapter);
  }

  #findExact(quote: string, chapters: readonly FoldedChapter[]): QuotationMatch | null {
    for (const {
      chapter: { index, text },
    } of chapters) {
      const start = text.indexOf(quote);
      if (start >= 0) return { chapter: index, start, end: start + quote.length, match: "exact", similarity: 1 };
    }
    return null;
  }

  #findFolded(parts: readonly string[], chapters: readonly FoldedChapter[]): QuotationMatch | null {
    const [first, ...rest] = parts.filter((part) => part !== "");
    if (first === undefined) return null;
    for (const folded of chapters) {
      let at = indexOfWord(folded.text, first, 0);
      while (at >= 0) {
        const end = followParts(folded.text, at + first.length, rest);
        if (end !== null) return located(folded, at, end, "normalised", 1);
        at = indexOfWord(folded.text, first, at + 1);
      }
    }
    return null;
  }

  /** The chapters that contain a passage's rarest whole words; all chapters if every word is common. */
  #chaptersWith(passage: string): readonly FoldedChapter[] {
    const rarest = wholeWords(passage)
      .map((word) => this.#words.get(word) ?? [])
      .filter((places) => places.length <= COMMON)
      .sort((left, right) => left.length - right.length)
      .slice(0, DECIDING_WORDS);
    const [first, ...rest] = rarest.map((places) => new Set(places.map((place) => Math.floor(place / CHAPTER))));
    if (!first) return this.#folded;
    return [...first]
      .filter((position) => rest.every((chapters) => chapters.has(position)))
      .map((position) => this.#folded[position]!);
  }

  /** Looks for places where the quotation's rarest words occur together, and measures how similar each passage is. */
  #findNearly(quote: string, chapter: number | undefined): QuotationMatch | null {
    const wanted = foldText(quote).text.trim();
    if (wanted.length < LEAST_LETTERS_FOR_FUZZY) return null;
    const pattern = new BitPattern(wanted);
    const slack = Math.ceil(wanted.length * 0.15) + 8;
    let best: QuotationMatch | null = null;
    for (const { chapter: position, start } of this.#candidates(wanted)) {
      const place = this.#folded[position]!;
      const from = Math.max(0, start - slack);
      const to = Math.min(place.text.length, start + wanted.length + slack);
      // Most quotations without an exact match are not in the book at all, so counting edits first avoids building
      // the table.
      if (similarityOf(pattern.leastEdits(place.text, from, to), wanted.length) < LEAST_SIMILARITY) continue;
      const { similarity, start: begins, end } = editSimilarity(wanted, place.text.slice(from, to));
      const better = best === null || similarity > best.similarity + (best.chapter === chapter ? 0.02 : 0);
      if (better) best = located(place, from + begins, from + end, "fuzzy", similarity);
    }
    return best;
  }

  #candidates(wanted: string): { chapter: number; start: number }[] {
    const anchors = wordsOf(wanted)
      .map(({ word, at }) => ({ at, places: this.#words.get(word) ?? [] }))
      .filter(({ places }) => places.length > 0 && places.length <= COMMON)
      .sort((left, right) => left.places.length - right.places.length)
      .slice(0, ANCHORS);
    // Matching words of one passage agree on its start within a few letters, so they vote in buckets.
    const bucketSize = Math.max(16, Math.ceil(wanted.length / 4));
    const votes = new Map<number, { chapter: number; start: number; count: number }>();
    for (const { at, places } of anchors) {
      for (const place of places) {
        const chapter = Math.floor(place / CHAPTER);
        const start = Math.max(0, (place % CHAPTER) - at);
        const key = chapter * CHAPTER + Math.floor(start / bucketSize);
        const known = votes.get(key);
        if (known) known.count++;
        else votes.set(key, { chapter, start, count: 1 });
      }
    }
    return mostVoted(votes.values());
  }

  /** Folds and indexes the next chapter; false if there is none left. */
  #layNext(): boolean {
    const position = this.#folded.length;
    const chapter = this.#chapters[position];
    if (!chapter) return false;
    const folded = foldText(chapter.text);
    this.#folded.push({ chapter, ...folded });
    for (const { word, at } of eachWord(folded.text)) {
      const places = this.#words.get(word);
      if (!places) this.#words.set(word, [position * CHAPTER + at]);
      else if (places.length <= COMMON) places.push(position * CHAPTER + at);
    }
    return true;
  }
}

interface Vote {
  readonly chapter: number;
  readonly start: number;
  readonly count: number;
}

/**
 * The few positions with most votes, earlier ones first among equals; sorting all of them would cost more than the
 * search.
 */
function mostVoted(votes: Iterable<Vote>): Vote[] {
  const chosen: Vote[] = [];
  for (const vote of votes) {
    if (chosen.length === CANDIDATES && chosen[CANDIDATES - 1]!.count >= vote.count) continue;
    const after = chosen.findIndex(({ count }) => count < vote.count);
    chosen.splice(after < 0 ? chosen.length : after, 0, vote);
    if (chosen.length > CANDIDATES) chosen.pop();
  }
  return chosen;
}

/**
 * Words of folded text; each Han, kana or Hangul character is paired with the next, since single ones are too common.
 */
function* eachWord(folded: string): Generator<{ word: string; at: number }> {
  for (const match of folded.matchAll(/[^ ]+/g)) {
    const [word] = match;
    if (!/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word)) yield { word, at: match.index };
    else for (let at = 0; at + 2 <= word.length; at++) yield { word: word.slice(at, at + 2), at: match.index + at };
  }
}

function wordsOf(folded: string): { word: string; at: number }[] {
  return [...eachWord(folded)];
}

/**
 * The words of a passage that are certainly whole in the text it comes from: its first and last may be fragments, and
 * in a script without spaces so may the first and last character.
 */
function wholeWords(passage: string): string[] {
  const words = wordsOf(passage);
  const end = passage.length;
  return words.filter(({ word, at }) => at > 0 && at + word.length < end).map(({ word }) => word);
}

function ellipsisParts(quote: string): string[] {
  return quote.split(/\[?(?:\.\s?){3,}\]?|…+/).filter((part) => part.trim() !== "");
}

/** In a quotation with omissions, the parts must follow one another within a few paragraphs. */
const LONGEST_OMISSION = 1500;

function followParts(text: string, from: number, parts: readonly string[]): number | null {
  let end = from;
  for (const part of parts) {
    const at = text.indexOf(part, end);
    if (at < 0 || at - end > LONGEST_OMISSION) return null;
    end = at + part.length;
  }
  return end;
}

/** The next occurrence at the start of a word; in scripts without spaces, anywhere. */
function indexOfWord(text: string, wanted: string, from: number): number {
  const spaced = /^[a-z0-9\u00c0-\u024f]/.test(wanted);
  let at = text.indexOf(wanted, from);
  while (at > 0 && spaced && text[at - 1] !== " ") at = text.indexOf(wanted, at + 1);
  return at;
}

function located(
  folded: FoldedChapter,
  from: number,
  to: number,
  match: QuotationMatch["match"],
  similarity: number,
): QuotationMatch {
  const start = folded.offsets[from] ?? 0;
  const last = folded.offsets[to - 1] ?? start;
  const codePoint = folded.chapter.text.codePointAt(last);
  const end = last + (codePoint !== undefined && codePoint > 0xffff ? 2 : 1);
  return { chapter: folded.chapter.index, start, end, match, similarity };
}

function inOrder<T>(items: readonly T[], first: (item: T) => boolean): readonly T[] {
  const preferred = items.filter(first);
  return preferred.length === 0 ? items : [...preferred, ...items.filter((item) => !first(item))];
}

/** The part of a window that is most similar to a text, and its similarity. */
interface Alignment {
  readonly similarity: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Sellers' algorithm: the smallest number of edits between the whole of `wanted` and any part of `window`, in time
 * proportional to the product of their lengths.
 */
export function editSimilarity(wanted: string, window: string): Alignment {
  const width = window.length;
  let previous = new Uint32Array(width + 1);
  let starts = Uint32Array.from({ length: width + 1 }, (_, at) => at);
  for (let row = 1; row <= wanted.length; row++) {
    const current = new Uint32Array(width + 1);
    const currentStarts = new Uint32Array(width + 1);
    current[0] = row;
    for (let column = 1; column <= width; column++) {
      const same = wanted.charCodeAt(row - 1) === window.charCodeAt(column - 1) ? 0 : 1;
      let cost = previous[column - 1]! + same;
      let start = starts[column - 1]!;
      if (previous[column]! + 1 < cost) {
        cost = previous[column]! + 1;
        start = starts[column]!;
      }
      if (current[column - 1]! + 1 < cost) {
        cost = current[column - 1]! + 1;
        start = currentStarts[column - 1]!;
      }
      current[column] = cost;
      currentStarts[column] = start;
    }
    previous = current;
    starts = currentStarts;
  }
  let end = 0;
  for (let column = 1; column <= width; column++) if (previous[column]! < previous[end]!) end = column;
  const edits = previous[end]!;
  return { similarity: similarityOf(edits, wanted.length), start: starts[end]!, end };
}

/** 1 − edits ⁄ length of the wanted text, but at least 0. */
export function similarityOf(edits: number, length: number): number {
  return Math.max(0, 1 - edits / Math.max(1, length));
}
