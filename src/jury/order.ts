import { EMPTY_HASH, extended, finished, HashIndex, HashTable, hashOf, joined } from "../prose/hashing.ts";
import { MARK_HASHES, NAME } from "../prose/scan-prose.ts";
import { FUNCTION_WORD, LETTERS, type ScannedProse } from "../prose/scanned-prose.ts";
import { lowerCaseOf } from "../prose/word-shape.ts";
import { wilsonInterval } from "../stats/distribution.ts";
import type { PreparedText } from "./prepare-text.ts";

/**
 * Limits for counting a text as ordered, set from published novels: `evals/cohesion.ts` prints how far the reference
 * novels, judged chapters and readers' stories are from each.
 */
export const ORDER_LIMITS = {
  /**
   * Standard deviations of the links from random order: within this, order cannot be distinguished from chance. It is
   * a part of the deviations that the least connected novel would have in a text of this length, between two bounds,
   * so that less is required of a shorter text.
   */
  links: { part: 0.3, least: 2.5, most: 5 },
  /** Texts in which even the least connected novel would have fewer deviations are not checked. */
  enoughToTell: 6,
  /**
   * How many more links than by chance the least connected reference novels have: by words and names, and by persons
   * and dialogue.
   */
  leastWords: 0.7,
  leastTurns: 0.33,
  /**
   * The same for paragraphs. Checked only if sentences share as many words as in those novels, because language
   * models avoid a word they just used.
   */
  paragraphLinks: 4.2,
  enoughParagraphs: 6,
  leastParagraphWords: 0.28,
  /** The share of articles followed by another function word: 2–9 % in prose, about half in shuffled words. */
  strandedArticles: 0.28,
  enoughArticles: 8,
} as const;

/** How far sentences, paragraphs and words are from random order; null if there is too little text. */
interface Order {
  /** By how many standard deviations the links between neighbouring sentences differ from random order. */
  readonly links: number | null;
  /** From how many deviations on it is no longer chance, in a text of this length. */
  readonly linksLimit: number;
  /** The deviations for neighbouring paragraphs. */
  readonly paragraphLinks: number | null;
  /** The lower bound of the share of articles followed by another function word. */
  readonly strandedArticles: number | null;
}

export function measureOrder(chapters: readonly PreparedText[]): Order {
  const { links: bounds } = ORDER_LIMITS;
  const sentences = measureCohesion(chapters, "sentences");
  return {
    links: isEnough(sentences) ? deviationsOf(sentences) : null,
    linksLimit: Math.min(bounds.most, Math.max(bounds.least, bounds.part * leastSignal(sentences))),
    paragraphLinks: paragraphLinks(chapters, sentences),
    strandedArticles: strandedArticles(chapters),
  };
}

/** Whether there is enough text to distinguish ordered sentences from random order. */
export function isOrderMeasured(chapters: readonly PreparedText[]): boolean {
  return isEnough(measureCohesion(chapters, "sentences"));
}

/** Why a text is not in order; null if it is. */
export function reasonOutOfOrder(chapters: readonly PreparedText[]): string | null {
  const order = measureOrder(chapters);
  if ((order.strandedArticles ?? 0) >= ORDER_LIMITS.strandedArticles) {
    return "the words do not follow each other as words of English sentences do";
  }
  if (order.links !== null && order.links < order.linksLimit) {
    return "neighbouring sentences have no more in common than sentences in random order: the text is not connected prose";
  }
  if (order.paragraphLinks !== null && order.paragraphLinks < ORDER_LIMITS.paragraphLinks) {
    return "neighbouring paragraphs have no more in common than paragraphs in random order: the text is not connected prose";
  }
  return null;
}

/** The deviations that the least connected reference novel would show in a text of this length. */
function leastSignal({ words, turns }: Cohesion): number {
  return (ORDER_LIMITS.leastWords * precision(words) + ORDER_LIMITS.leastTurns * precision(turns)) / Math.SQRT2;
}

function isEnough(sentences: Cohesion): boolean {
  return leastSignal(sentences) >= ORDER_LIMITS.enoughToTell;
}

/**
 * Both kinds of links together. Fewer links than by chance also show order, as in the work of a writer who avoids
 * repeating words.
 */
function deviationsOf({ words, turns }: Cohesion): number {
  return Math.hypot(deviations(words), deviations(turns));
}

function paragraphLinks(chapters: readonly PreparedText[], sentences: Cohesion): number | null {
  if (sentences.words.found < (1 + ORDER_LIMITS.leastWords) * sentences.words.expected) return null;
  const paragraphs = measureCohesion(chapters, "paragraphs");
  const isEnoughText = ORDER_LIMITS.leastParagraphWords * precision(paragraphs.words) >= ORDER_LIMITS.enoughParagraphs;
  return isEnoughText ? deviationsOf(paragraphs) : null;
}

function deviations({ found, expected, variance }: Links): number {
  return variance > 0 ? (found - expected) / Math.sqrt(variance) : 0;
}

/** By how many standard deviations twice as many links as by chance would differ. */
function precision({ expected, variance }: Links): number {
  return variance > 0 ? expected / Math.sqrt(variance) : 0;
}

const ARTICLES = HashIndex.ofWords(["the", "a", "an"]);

function strandedArticles(chapters: readonly PreparedText[]): number | null {
  let articles = 0;
  let stranded = 0;
  for (const { prose } of chapters) {
    for (let token = 0; token + 1 < prose.tokens.length; token++) {
      if (!ARTICLES.has(prose.tokens[token]!)) continue;
      articles++;
      if (prose.traits[token + 1]! & FUNCTION_WORD) stranded++;
    }
  }
  return articles < ORDER_LIMITS.enoughArticles ? null : wilsonInterval(stranded, articles, 0.8)[0];
}

/** Links between neighbouring sentences: how many were found, and how many the same sentences in random order would have. */
interface Links {
  readonly found: number;
  readonly expected: number;
  /** The variance of `found` in random order, if links are independent. */
  readonly variance: number;
}

/**
 * What links neighbours: a content word or name that soon recurs, and properties that come in runs (persons,
 * dialogue).
 */
interface Cohesion {
  readonly words: Links;
  readonly turns: Links;
}

/** A link reaches this many sentences, or paragraphs, ahead. */
const REACH = 2;
/** Order is measured within blocks of this many, so that a topic that lasts a whole chapter does not count as order. */
const BLOCK = { sentences: 120, paragraphs: 60 } as const;
/** A word in more than this share of a block links nothing, because it is everywhere. */
const LARGEST_SHARE = 0.2;

/** Sentences that begin with the same words and marks, this many of them, count as the same sentence. */
const OPENING = 6;

const QUOTE = MARK_HASHES.get('"')!;
const persons = new HashTable(
  [
    "he him his himself",
    "she her hers herself",
    "i me my i'm i'd i've i'll",
    "you your you're",
    "they them their",
    "we us our",
  ].flatMap((words, person) => words.split(" ").map((word): [number, number] => [hashOf(word), person + 1])),
);
/** The share of words that are personal pronouns: stories are full of them, lists have hardly any. */
export function personalPronouns(chapters: readonly PreparedText[]): number {
  let count = 0;
  let words = 0;
  for (const { prose } of chapters) {
    words += prose.wordCount;
    for (const token of prose.tokens) if (persons.get(token) !== undefined) count++;
  }
  return count / Math.max(words, 1);
}

const SPEECH = 0;
const TURNS = 7;

/** The sentences or paragraphs whose order is checked: number `r` holds the tokens from `from[r]` up to `to[r]`. */
interface Runs {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** How much neighbouring sentences, or neighbouring paragraphs, have in common. */
function measureCohesion(chapters: readonly PreparedText[], unit: keyof typeof BLOCK): Cohesion {
  const words = { found: 0, expected: 0, variance: 0 };
  const turns = { found: 0, expected: 0, variance: 0 };
  for (const { text, prose } of chapters) {
    const runs = unit === "sentences" ? distinctSentences(prose) : paragraphs(prose);
    const count = runs.from.length;
    const blocks = Math.max(1, Math.round(count / BLOCK[unit]));
    for (let block = 0; block < blocks; block++) {
      const [first, end] = [Math.floor((count * block) / blocks), Math.floor((count * (block + 1)) / blocks)];
      countBlock(text, prose, { from: runs.from.slice(first, end), to: runs.to.slice(first, end) }, words, turns);
    }
  }
  return { words, turns };
}

type Counter = { -readonly [Key in keyof Links]: number };

/**
 * Leaves out sentences that begin like an earlier one, since a text that goes in circles would seem to be full of
 * links.
 */
function distinctSentences(prose: ScannedProse): Runs {
  const seen = new Set<number>();
  const runs = { from: [] as number[], to: [] as number[] };
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const from = prose.firstToken[sentence]!;
    const to = prose.firstToken[sentence + 1]!;
    let hash = 0;
    for (let token = from; token < Math.min(to, from + OPENING); token++) hash = joined(hash, prose.tokens[token]!);
    if (to - from >= OPENING && seen.has(hash)) continue;
    seen.add(hash);
    runs.from.push(from);
    runs.to.push(to);
  }
  return runs;
}

function paragraphs({ sentenceCount, opensParagraph, firstToken }: ScannedProse): Runs {
  const from: number[] = [];
  for (let sentence = 0; sentence < sentenceCount; sentence++) {
    if (sentence === 0 || opensParagraph[sentence]) from.push(firstToken[sentence]!);
  }
  return { from, to: [...from.slice(1), firstToken[sentenceCount]!] };
}

function countBlock(text: string, prose: ScannedProse, runs: Runs, words: Counter, turns: Counter): void {
  const size = runs.from.length;
  if (size < 2 * REACH + 2) return;
  wordPlaces.clear();
  const turnPlaces: number[][] = Array.from({ length: TURNS }, () => []);
  const note = (places: number[], place: number): void => {
    if (places.at(-1) !== place) places.push(place);
  };
  for (let place = 0; place < size; place++) {
    for (let token = runs.from[place]!; token < runs.to[place]!; token++) {
      const hash = prose.tokens[token]!;
      if (hash === QUOTE) note(turnPlaces[SPEECH]!, place);
      const person = persons.get(hash);
      if (person !== undefined) note(turnPlaces[person]!, place);
      const traits = prose.traits[token]!;
      if ((traits & LETTERS) === 0 || traits & FUNCTION_WORD) continue;
      const word = hash === NAME ? wordHash(text, prose.tokenStarts[token]!, prose.tokenEnds[token]!) : hash;
      wordPlaces.note(word, place);
    }
  }
  wordPlaces.forEach((places) => {
    // Each further occurrence of a word could be a link. Weighted so that every word counts the same; otherwise
    // common words would dominate.
    if (places.length <= Math.max(2, LARGEST_SHARE * size)) add(words, places, size, 1 / (places.length - 1));
  });
  for (const places of turnPlaces) {
    if (places.length > 1 && places.length < size - 1) add(turns, places, size, 1 / (places.length - 1));
  }
}

/** Counts pairs of occurrences at most {@link REACH} apart, and the number expected if they were random. */
function add(into: Counter, places: ArrayLike<number>, size: number, weight: number): void {
  let near = 0;
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length && places[j]! - places[i]! <= REACH; j++) near++;
  }
  const pairs = (places.length * (places.length - 1)) / 2;
  const chance = (REACH * (2 * size - REACH - 1)) / (size * (size - 1));
  into.found += weight * near;
  into.expected += weight * pairs * chance;
  into.variance += weight * weight * pairs * chance * (1 - chance);
}

function wordHash(text: string, from: number, to: number): number {
  let hash = EMPTY_HASH;
  for (let at = from; at < to; at++) hash = extended(hash, lowerCaseOf(text.charCodeAt(at)));
  return finished(hash);
}

/** The words of a block and their positions, by hash. Its memory is reused for the next block. */
class PlacesByWord {
  /** Word number plus one; 0 is an empty slot. */
  private slots = new Int32Array(1024);
  private hashes = new Uint32Array(256);
  /** How many places each word has. */
  private counts = new Int32Array(256);
  private lastPlace = new Int32Array(256);
  private wordCount = 0;
  private noteWords = new Int32Array(1024);
  private notePlaces = new Int32Array(1024);
  private noteCount = 0;

  clear(): void {
    this.slots.fill(0);
    this.wordCount = 0;
    this.noteCount = 0;
  }

  /** Positions must come in order; a word is recorded once per position. */
  note(hash: number, place: number): void {
    const word = this.numberOf(hash);
    if (this.lastPlace[word] === place) return;
    this.lastPlace[word] = place;
    this.counts[word] = this.counts[word]! + 1;
    if (this.noteCount === this.noteWords.length) {
      this.noteWords = enlarged(this.noteWords);
      this.notePlaces = enlarged(this.notePlaces);
    }
    this.noteWords[this.noteCount] = word;
    this.notePlaces[this.noteCount++] = place;
  }

  /** The positions of each word, in the order in which words first appeared. */
  forEach(visit: (places: Int32Array) => void): void {
    const { wordCount, counts } = this;
    const ends = new Int32Array(wordCount);
    for (let word = 0, end = 0; word < wordCount; word++) ends[word] = end += counts[word]!;
    const next = new Int32Array(wordCount);
    for (let word = 0; word < wordCount; word++) next[word] = ends[word]! - counts[word]!;
    const sorted = new Int32Array(this.noteCount);
    for (let note = 0; note < this.noteCount; note++) {
      const word = this.noteWords[note]!;
      sorted[next[word]!] = this.notePlaces[note]!;
      next[word] = next[word]! + 1;
    }
    for (let word = 0; word < wordCount; word++) {
      if (counts[word]! > 1) visit(sorted.subarray(ends[word]! - counts[word]!, ends[word]));
    }
  }

  private numberOf(hash: number): number {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let held = this.slots[slot]!; held !== 0; held = this.slots[slot]!) {
      if (this.hashes[held - 1] === hash) return held - 1;
      slot = (slot + 1) & mask;
    }
    if (this.wordCount * 2 >= this.slots.length) {
      this.grow();
      return this.numberOf(hash);
    }
    const word = this.wordCount++;
    this.slots[slot] = word + 1;
    this.hashes[word] = hash;
    this.counts[word] = 0;
    this.lastPlace[word] = -1;
    return word;
  }

  /** Doubles the table. */
  private grow(): void {
    const words = this.slots.length;
    this.slots = new Int32Array(2 * words);
    this.hashes = enlarged(this.hashes, words);
    this.counts = enlarged(this.counts, words);
    this.lastPlace = enlarged(this.lastPlace, words);
    const mask = this.slots.length - 1;
    for (let word = 0; word < this.wordCount; word++) {
      let slot = this.hashes[word]! & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = word + 1;
    }
  }
}

function enlarged<A extends Int32Array | Uint32Array>(from: A, length = 2 * from.length): A {
  const into = new (from.constructor as new (length: number) => A)(length);
  into.set(from);
  return into;
}

/** Reused for one block after another. */
const wordPlaces = new PlacesByWord();
