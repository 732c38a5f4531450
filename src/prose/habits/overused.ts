import { rate, rounded } from "../map/numbers.ts";
import { type Passage, someOf } from "../map/passage.ts";
import { type Reading, spanOfWords } from "../map/reading.ts";
import { CAPITAL, OPENS } from "../reading.ts";
import type { ReferenceWords } from "../reference/reference-words.ts";
import { frequentPhrases } from "./phrase-counts.ts";

export interface Overuse {
  readonly phrase: string;
  readonly count: number;
  /** Per 1,000 words, here and in the reference novels. */
  readonly rate: number;
  readonly referenceRate: number;
  /** The rate that nineteen of twenty reference novels stay below; null for a phrase that few of them have. */
  readonly referenceHigh: number | null;
  readonly z: number;
  readonly passages: readonly Passage[];
  /** How often in each chapter, in the order of the book. */
  readonly chapters: readonly number[];
  /** Of the uses, those inside quotation marks: a habit of the people who speak, not of the writer. */
  readonly spoken: number;
}

const FEWEST = 6;
const SURE = 4;
const LEAST_RATIO = 2.5;
const PRIOR_WORDS = 1000;
const MOST = 30;
const MOST_COMPARED = 300;

/** Words and phrases this book uses far more than the reference novels: log-odds with a prior, names left out. */
export function overusedPhrases(reading: Reading, reference: ReferenceWords): { words: Overuse[]; phrases: Overuse[] } {
  const { prose, dialogue } = reading;
  const isName = nameWords(reading);
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
    const place = (word: number) => reading.locate(spanOfWords(prose, word, word + length));
    const spoken = at.filter((word) => dialogue.quoted[word]).length / at.length;
    return { ...found, passages: someOf(at).map(place), chapters: perChapter(reading, at), spoken: rounded(spoken) };
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

/** Both are in the order of the book. */
function perChapter({ chapters }: Reading, at: readonly number[]): number[] {
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

/** As in `logOdds`, for one word: the prior is the reference itself. */
function zScore(count: number, total: number, referenceCount: number, referenceTotal: number): number {
  const prior = (PRIOR_WORDS * referenceCount) / referenceTotal;
  const one = count + prior;
  const other = referenceCount + prior;
  const delta = Math.log(one / (total + PRIOR_WORDS - one)) - Math.log(other / (referenceTotal + PRIOR_WORDS - other));
  return delta / Math.sqrt(1 / one + 1 / other);
}

/** By word number: 1 for part of a character's name, or mostly written with a capital inside sentences: no habit of style. */
function nameWords({ prose, dialogue }: Reading): Uint8Array {
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

/** "for a moment" makes "a moment" superfluous. */
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
