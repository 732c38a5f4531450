import { type BookProse, type Passage, someOf, spanOfWords } from "../map/book-prose.ts";
import { rate, rounded } from "../map/numbers.ts";
import { ADJOINS, CAPITAL, markedWords, OPENS, type ProseText } from "../prose-text.ts";
import type { ReferenceWords } from "../reference/reference-words.ts";

export interface Overuse {
  readonly phrase: string;
  readonly count: number;
  /** Per 1,000 words, in this book and in the reference novels. */
  readonly rate: number;
  readonly referenceRate: number;
  /** The rate below which 95 % of the reference novels stay; null for a phrase that few of them have. */
  readonly referenceHigh: number | null;
  readonly z: number;
  readonly passages: readonly Passage[];
  /** The number in each chapter, in order. */
  readonly chapters: readonly number[];
  /** How many are inside quotation marks: a habit of the speaking characters, not of the writer. */
  readonly spoken: number;
}

const FEWEST = 6;
const SURE = 4;
const LEAST_RATIO = 2.5;
const PRIOR_WORDS = 1000;
const MOST = 30;
const MOST_COMPARED = 300;

/** Words and phrases that this book uses far more than the reference novels: log-odds with a prior, without names. */
export function overusedPhrases(
  bookProse: BookProse,
  reference: ReferenceWords,
): { words: Overuse[]; phrases: Overuse[] } {
  const { prose, dialogue } = bookProse;
  const isName = nameWords(bookProse);
  const measure = (phrase: string, count: number, length: number) => {
    const expected =
      reference.counts.get(phrase) ?? (length === 1 ? reference.unlisted.word : reference.unlisted.phrase);
    const z = zScore(count, prose.wordCount, expected, reference.total);
    const own = rate(count, prose.wordCount)!;
    const theirs = rate(expected, reference.total)!;
    if (z < SURE || own < LEAST_RATIO * theirs) return null;
    const high = reference.high.get(phrase) ?? null;
    return {
      phrase,
      count,
      rate: rounded(own, 3),
      referenceRate: rounded(theirs, 4),
      referenceHigh: rounded(high),
      z: rounded(z, 1),
    };
  };
  const placed = (
    found: Omit<Overuse, "passages" | "chapters" | "spoken">,
    at: readonly number[],
    length: number,
  ): Overuse => {
    const place = (word: number) => bookProse.locate(spanOfWords(prose, word, word + length));
    const spoken = at.filter((word) => dialogue.quoted[word]).length / at.length;
    return { ...found, passages: someOf(at).map(place), chapters: perChapter(bookProse, at), spoken: rounded(spoken) };
  };
  const strongest = <T extends { readonly z: number }>(list: T[]) => list.sort((left, right) => right.z - left.z);

  const counts = new Uint32Array(prose.vocabulary.length);
  for (const id of prose.ids) counts[id]!++;
  const words = prose.vocabulary.flatMap((word, id) => {
    if (counts[id]! < FEWEST || word.length < 3 || isName[id]) return [];
    const found = measure(word, counts[id]!, 1);
    return found ? [{ ...found, id }] : [];
  });
  const phrases = frequentPhrases(prose, FEWEST).flatMap(({ phrase, at, length }) => {
    for (let word = at[0]!; word < at[0]! + length; word++) if (isName[prose.ids[word]!]) return [];
    const found = measure(phrase, at.length, length);
    return found ? [{ ...found, at, length }] : [];
  });
  return {
    words: strongest(words)
      .slice(0, MOST)
      .map(({ id, ...found }) => placed(found, placesOf(prose.ids, id), 1)),
    phrases: withoutParts(strongest(phrases).slice(0, MOST_COMPARED))
      .slice(0, MOST)
      .map(({ at, length, ...found }) => placed(found, at, length)),
  };
}

/** Counts by chapter; both lists are in the order of the book. */
function perChapter({ chapters }: BookProse, at: readonly number[]): number[] {
  let next = 0;
  return chapters.map(({ endWord }) => {
    const first = next;
    while (next < at.length && at[next]! < endWord) next++;
    return next - first;
  });
}

function placesOf(ids: Int32Array, wanted: number): number[] {
  const places: number[] = [];
  for (let word = 0; word < ids.length; word++) if (ids[word] === wanted) places.push(word);
  return places;
}

/** As in `logOdds`, for one word, with the reference itself as the prior. */
function zScore(count: number, total: number, referenceCount: number, referenceTotal: number): number {
  const prior = (PRIOR_WORDS * referenceCount) / referenceTotal;
  const one = count + prior;
  const other = referenceCount + prior;
  const delta = Math.log(one / (total + PRIOR_WORDS - one)) - Math.log(other / (referenceTotal + PRIOR_WORDS - other));
  return delta / Math.sqrt(1 / one + 1 / other);
}

/**
 * By word id: 1 for part of a character's name, or a word mostly capitalised inside sentences, which is no habit of
 * style.
 */
function nameWords({ prose, dialogue }: BookProse): Uint8Array {
  const people = new Set(
    dialogue.cast.characters.flatMap(({ aliases }) => aliases.flatMap((alias) => alias.toLowerCase().split(/[\s.]+/))),
  );
  const capital = new Uint32Array(prose.vocabulary.length);
  const inside = new Uint32Array(prose.vocabulary.length);
  for (let word = 0; word < prose.wordCount; word++) {
    const trait = prose.traits[word]!;
    if (trait & OPENS) continue;
    inside[prose.ids[word]!]!++;
    if (trait & CAPITAL) capital[prose.ids[word]!]!++;
  }
  return Uint8Array.from(prose.vocabulary, (word, id) =>
    word !== "i" && (people.has(word) || 2 * capital[id]! > inside[id]!) ? 1 : 0,
  );
}

/** "for a moment" makes "a moment" redundant. */
function withoutParts<T extends { readonly phrase: string; readonly count: number }>(phrases: readonly T[]): T[] {
  const apart = phrases.map(({ phrase }) => ` ${phrase} `);
  return phrases.filter(
    ({ phrase, count }, at) =>
      !phrases.some(
        (other, index) =>
          other.count > 0.6 * count &&
          other.phrase.length > phrase.length &&
          other.phrase.includes(phrase) &&
          apart[index]!.includes(apart[at]!),
      ),
  );
}

/** An occurrence of a listed phrase: words `first` up to `end`. */
interface PhraseMatch {
  /** Its index in the list. */
  readonly phrase: number;
  readonly first: number;
  readonly end: number;
}

/** The words that may follow, as a tree of all phrases. */
interface Branch {
  readonly next: Map<string, Branch>;
  phrase: number | null;
}

const newBranch = (): Branch => ({ next: new Map(), phrase: null });
const ANY = "*";

/**
 * Searches for many phrases at once. In a phrase, "*" stands for one word or none; no phrase crosses a paragraph's
 * end.
 */
export function phraseFinder(phrases: readonly string[]): (prose: ProseText) => PhraseMatch[] {
  const root = newBranch();
  for (const [index, phrase] of phrases.entries()) {
    let branch = root;
    for (const word of phrase.split(" ")) {
      const next = branch.next.get(word) ?? newBranch();
      branch.next.set(word, next);
      branch = next;
    }
    branch.phrase = index;
  }
  return (prose) => {
    const found: PhraseMatch[] = [];
    const begins = markedWords(prose, (word) => (root.next.has(word) ? 1 : 0));
    for (let word = 0; word < prose.wordCount; word++) {
      if (begins[prose.ids[word]!]) follow(prose, root, word, word, found);
    }
    return found;
  };
}

function follow(prose: ProseText, branch: Branch, first: number, at: number, found: PhraseMatch[]): void {
  if (branch.phrase !== null) found.push({ phrase: branch.phrase, first, end: at });
  const any = branch.next.get(ANY);
  if (any) {
    follow(prose, any, first, at, found);
    follow(prose, any, first, at + 1, found);
  }
  if (at >= prose.wordCount || prose.paragraphOf[at] !== prose.paragraphOf[first]) return;
  const next = branch.next.get(prose.words[at]!);
  if (next) follow(prose, next, first, at + 1, found);
}

export interface PhraseUse {
  readonly phrase: string;
  /** The word indices at which it begins, and its number of words. */
  readonly at: readonly number[];
  readonly length: number;
}

const LONGEST = 4;

/** For each text, the phrases counted last and the minimum used. */
const counted = new WeakMap<ProseText, { readonly fewest: number; readonly phrases: readonly PhraseUse[] }>();

/** Phrases of two to four words that occur at least `fewest` times and do not cross punctuation. */
export function frequentPhrases(prose: ProseText, fewest: number): readonly PhraseUse[] {
  const known = counted.get(prose);
  if (known && known.fewest <= fewest)
    return known.fewest === fewest ? known.phrases : known.phrases.filter(({ at }) => at.length >= fewest);
  const phrases = countPhrases(prose, fewest);
  counted.set(prose, { fewest, phrases });
  return phrases;
}

/**
 * A phrase is extended only if its beginning is already frequent, so most of a book's word sequences are never
 * stored.
 */
function countPhrases(prose: ProseText, fewest: number): PhraseUse[] {
  const { ids, traits, wordCount } = prose;
  // group[word]: the frequent phrase of the current length that begins here, or -1.
  let group: Int32Array = ids;
  // A phrase is at most as frequent as its rarest word.
  const uses = new Uint32Array(prose.vocabulary.length);
  for (let word = 0; word < wordCount; word++) uses[ids[word]!]!++;
  const found: PhraseUse[] = [];
  const numbers = new PairNumbers(wordCount);
  const numberAt = new Int32Array(wordCount);
  for (let length = 2; length <= LONGEST; length++) {
    numbers.clear();
    numberAt.fill(-1);
    for (let word = 0; word + length <= wordCount; word++) {
      const last = word + length - 1;
      if (!(traits[last]! & ADJOINS) || group[word] === -1) continue;
      if (uses[ids[word]!]! < fewest || uses[ids[last]!]! < fewest) continue;
      if (length > 2 && group[word + 1] === -1) continue;
      numberAt[word] = numbers.count(group[word]!, ids[last]!);
    }
    // By pair number, the index of a phrase among the frequent ones of this length.
    const kept = new Int32Array(numbers.size).fill(-1);
    const places: number[][] = [];
    const next = new Int32Array(wordCount).fill(-1);
    for (let word = 0; word < wordCount; word++) {
      const number = numberAt[word]!;
      if (number === -1 || numbers.counts[number]! < fewest) continue;
      if (kept[number] === -1) kept[number] = places.push([]) - 1;
      next[word] = kept[number]!;
      places[kept[number]!]!.push(word);
    }
    for (const at of places) found.push({ phrase: prose.words.slice(at[0], at[0]! + length).join(" "), at, length });
    group = next;
  }
  return found;
}

/** Numbers pairs of numbers in the order of their first occurrence, and counts them. */
class PairNumbers {
  size = 0;
  readonly counts: Uint32Array;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  /** A pair's number plus one; 0 is an empty slot. */
  readonly #slots: Int32Array;

  constructor(most: number) {
    this.counts = new Uint32Array(most);
    this.#left = new Int32Array(most);
    this.#right = new Int32Array(most);
    let slots = 1024;
    while (slots < 2 * most) slots *= 2;
    this.#slots = new Int32Array(slots);
  }

  clear(): void {
    this.#slots.fill(0);
    this.counts.fill(0);
    this.size = 0;
  }

  /** Counts the pair and returns its number. */
  count(left: number, right: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      const number = held - 1;
      if (this.#left[number] === left && this.#right[number] === right) {
        this.counts[number] = this.counts[number]! + 1;
        return number;
      }
      slot = (slot + 1) & mask;
    }
    const number = this.size++;
    slots[slot] = number + 1;
    this.#left[number] = left;
    this.#right[number] = right;
    this.counts[number] = 1;
    return number;
  }
}
