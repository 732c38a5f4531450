import type { Chapter } from "../../text/book.ts";
import { editSimilarity } from "./edit-similarity.ts";
import { foldText } from "./fold-text.ts";

/** Where a quotation stands. Offsets point into the text of the chapter. */
export interface Found {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly match: "exact" | "normalised" | "fuzzy";
  readonly similarity: number;
}

interface FoldedChapter {
  readonly chapter: Chapter;
  /** Letters, digits and single spaces only, in lower case. */
  readonly text: string;
  /** For each character of `text`, its offset in the chapter. */
  readonly offsets: Uint32Array;
}

/** Below this share of equal letters a passage is another passage. */
const LEAST_SIMILARITY = 0.8;
/** A shorter quotation is found everywhere once letters may differ. */
const LEAST_LETTERS_FOR_FUZZY = 12;
const CANDIDATES = 6;
const ANCHORS = 8;
/** A word that stands in more places tells nothing about which of them is meant. */
const COMMON = 4000;

/**
 * Finds quotations in a book: letter by letter, then without regard to case, quotes, dashes and spaces, then nearly. The
 * folded text and the word index are made once, on first need; a lookup then costs about as much as the rarest words of
 * the quotation occur, not as much as the book is long.
 */
export class QuotationIndex {
  readonly #chapters: readonly Chapter[];
  #folded: readonly FoldedChapter[] | null = null;
  #words: Map<string, { chapter: number; at: number }[]> | null = null;

  constructor(chapters: readonly Chapter[]) {
    this.#chapters = chapters;
  }

  /** `chapter` is where the quotation is said to stand: it is looked for there first. */
  find(quotation: string, chapter?: number): Found | null {
    const quote = quotation.trim();
    if (quote === "") return null;
    return this.#findExact(quote, chapter) ?? this.#findFolded(quote, chapter) ?? this.#findNearly(quote, chapter);
  }

  #findExact(quote: string, chapter: number | undefined): Found | null {
    for (const { index, text } of inOrder(this.#chapters, ({ index }) => index === chapter)) {
      const start = text.indexOf(quote);
      if (start >= 0) return { chapter: index, start, end: start + quote.length, match: "exact", similarity: 1 };
    }
    return null;
  }

  #findFolded(quote: string, chapter: number | undefined): Found | null {
    const parts = ellipsisParts(quote).map((part) => foldText(part).text.trim());
    const [first, ...rest] = parts.filter((part) => part !== "");
    if (first === undefined) return null;
    for (const folded of inOrder(this.#fold(), (candidate) => candidate.chapter.index === chapter)) {
      let at = indexOfWord(folded.text, first, 0);
      while (at >= 0) {
        const end = followParts(folded.text, at + first.length, rest);
        if (end !== null) return located(folded, at, end, "normalised", 1);
        at = indexOfWord(folded.text, first, at + 1);
      }
    }
    return null;
  }

  /** Looks where the rarest words of the quotation stand together, and measures how alike the passage there is. */
  #findNearly(quote: string, chapter: number | undefined): Found | null {
    const wanted = foldText(quote).text.trim();
    if (wanted.length < LEAST_LETTERS_FOR_FUZZY) return null;
    const folded = this.#fold();
    let best: Found | null = null;
    for (const { chapter: position, start } of this.#candidates(wanted)) {
      const place = folded[position]!;
      const slack = Math.ceil(wanted.length * 0.15) + 8;
      const from = Math.max(0, start - slack);
      const window = place.text.slice(from, start + wanted.length + slack);
      const { similarity, start: begins, end } = editSimilarity(wanted, window);
      const better = best === null || similarity > best.similarity + (best.chapter === chapter ? 0.02 : 0);
      if (similarity >= LEAST_SIMILARITY && better)
        best = located(place, from + begins, from + end, "fuzzy", similarity);
    }
    return best;
  }

  #candidates(wanted: string): { chapter: number; start: number }[] {
    const index = this.#index();
    const anchors = wordsOf(wanted)
      .map(({ word, at }) => ({ at, places: index.get(word) ?? [] }))
      .filter(({ places }) => places.length > 0 && places.length <= COMMON)
      .sort((left, right) => left.places.length - right.places.length)
      .slice(0, ANCHORS);
    // Anchors of one passage agree on where it starts, give or take a few letters: they vote in buckets.
    const bucketSize = Math.max(16, Math.ceil(wanted.length / 4));
    const votes = new Map<string, { chapter: number; start: number; count: number }>();
    for (const { at, places } of anchors) {
      for (const place of places) {
        const start = Math.max(0, place.at - at);
        const key = `${place.chapter}:${Math.floor(start / bucketSize)}`;
        const known = votes.get(key);
        if (known) known.count++;
        else votes.set(key, { chapter: place.chapter, start, count: 1 });
      }
    }
    return [...votes.values()].sort((left, right) => right.count - left.count).slice(0, CANDIDATES);
  }

  #fold(): readonly FoldedChapter[] {
    this.#folded ??= this.#chapters.map((chapter) => ({ chapter, ...foldText(chapter.text) }));
    return this.#folded;
  }

  #index(): ReadonlyMap<string, { chapter: number; at: number }[]> {
    if (this.#words) return this.#words;
    const words = new Map<string, { chapter: number; at: number }[]>();
    this.#fold().forEach(({ text }, chapter) => {
      for (const { word, at } of wordsOf(text)) {
        const places = words.get(word);
        if (!places) words.set(word, [{ chapter, at }]);
        else if (places.length <= COMMON) places.push({ chapter, at });
      }
    });
    this.#words = words;
    return words;
  }
}

/** Words of folded text; each Han, kana or Hangul character counts with the next, since single ones are too common. */
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

function ellipsisParts(quote: string): string[] {
  return quote.split(/\s*(?:\[?(?:\.\s?){3,}\]?|…+)\s*/).filter((part) => part.trim() !== "");
}

/** The parts of a quotation with omissions must follow one another within a few paragraphs. */
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

/** The next occurrence that starts at a word's start, unless the script has no spaces between words. */
function indexOfWord(text: string, wanted: string, from: number): number {
  const spaced = /^[a-z0-9\u00c0-\u024f]/.test(wanted);
  let at = text.indexOf(wanted, from);
  while (at > 0 && spaced && text[at - 1] !== " ") at = text.indexOf(wanted, at + 1);
  return at;
}

function located(folded: FoldedChapter, from: number, to: number, match: Found["match"], similarity: number): Found {
  const start = folded.offsets[from] ?? 0;
  const last = folded.offsets[to - 1] ?? start;
  const codePoint = folded.chapter.text.codePointAt(last);
  const end = last + (codePoint !== undefined && codePoint > 0xffff ? 2 : 1);
  return { chapter: folded.chapter.index, start, end, match, similarity };
}

function* inOrder<T>(items: readonly T[], first: (item: T) => boolean): Generator<T> {
  const preferred = items.find(first);
  if (preferred !== undefined) yield preferred;
  for (const item of items) if (item !== preferred) yield item;
}
