import { ADJOINS, type ProseText } from "../reading.ts";

export interface PhraseUse {
  readonly phrase: string;
  /** Where it begins, in words, and how many words it has. */
  readonly at: readonly number[];
  readonly length: number;
}

const LONGEST = 4;

/** Of each text, the phrases that were counted last, and how often each occurs at least. */
const counted = new WeakMap<ProseText, { readonly fewest: number; readonly phrases: readonly PhraseUse[] }>();

/** Phrases of two to four words that occur at least `fewest` times, none across a mark. */
export function frequentPhrases(prose: ProseText, fewest: number): readonly PhraseUse[] {
  const known = counted.get(prose);
  if (known && known.fewest <= fewest)
    return known.fewest === fewest ? known.phrases : known.phrases.filter(({ at }) => at.length >= fewest);
  const phrases = countPhrases(prose, fewest);
  counted.set(prose, { fewest, phrases });
  return phrases;
}

/** A phrase is grown only where its beginning is frequent already, so most of a book's word sequences are never stored. */
function countPhrases(prose: ProseText, fewest: number): PhraseUse[] {
  const { ids, traits, wordCount } = prose;
  // group[word]: the frequent phrase of the current length that begins here, or -1.
  let group: Int32Array = ids;
  // No phrase comes back more often than the rarest of its words.
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
    // A phrase's place among the frequent ones of this length, by its number.
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

/** Numbers pairs of numbers in the order in which they first come, and counts them. */
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

  /** Counts the pair, and gives its number. */
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
