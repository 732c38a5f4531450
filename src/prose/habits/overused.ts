import { rate, rounded } from "../map/numbers.ts";
import { type Passage, someOf } from "../map/passage.ts";
import { type Reading, spanOfWords } from "../map/reading.ts";
import { CAPITAL, OPENS } from "../reading/prose-text.ts";
import type { ReferenceWords } from "../reference/reference-words.ts";
import { frequentPhrases } from "./phrase-counts.ts";

export interface Overuse {
  readonly phrase: string;
  readonly count: number;
  /** Per 1,000 words, here and in the reference novels. */
  readonly rate: number;
  readonly referenceRate: number;
  readonly z: number;
  readonly passages: readonly Passage[];
}

const FEWEST = 6;
const SURE = 4;
const LEAST_RATIO = 2.5;
const PRIOR_WORDS = 1000;
const MOST = 30;
const MOST_COMPARED = 300;

/** Words and phrases this book uses far more than the reference novels: log-odds with a prior, names left out. */
export function overusedPhrases(reading: Reading, reference: ReferenceWords): { words: Overuse[]; phrases: Overuse[] } {
  const names = nameWords(reading);
  const judge = (phrase: string, at: readonly number[], length: number): Overuse | null => {
    if (at.length < FEWEST || phrase.split(" ").some((word) => names.has(word))) return null;
    const total = reading.prose.wordCount;
    const expected =
      reference.counts.get(phrase) ?? (length === 1 ? reference.unlisted.word : reference.unlisted.phrase);
    const z = zScore(at.length, total, expected, reference.total);
    const own = rate(at.length, total)!;
    const theirs = rate(expected, reference.total)!;
    if (z < SURE || own < LEAST_RATIO * theirs) return null;
    const place = (word: number) => reading.locate(spanOfWords(reading.prose, word, word + length));
    return {
      phrase,
      count: at.length,
      rate: rounded(own, 3),
      referenceRate: rounded(theirs, 4),
      z: rounded(z, 1),
      passages: someOf(at).map(place),
    };
  };
  const words = [...placesOfWords(reading)].flatMap(([word, at]) => judge(word, at, 1) ?? []);
  const phrases = frequentPhrases(reading.prose, FEWEST).flatMap(
    ({ phrase, at, length }) => judge(phrase, at, length) ?? [],
  );
  const strongest = (list: Overuse[]) => list.sort((left, right) => right.z - left.z);
  return {
    words: strongest(words).slice(0, MOST),
    phrases: withoutParts(strongest(phrases).slice(0, MOST_COMPARED)).slice(0, MOST),
  };
}

/** As in `logOdds`, for one word: the prior is the reference itself. */
function zScore(count: number, total: number, referenceCount: number, referenceTotal: number): number {
  const prior = (PRIOR_WORDS * referenceCount) / referenceTotal;
  const one = count + prior;
  const other = referenceCount + prior;
  const delta = Math.log(one / (total + PRIOR_WORDS - one)) - Math.log(other / (referenceTotal + PRIOR_WORDS - other));
  return delta / Math.sqrt(1 / one + 1 / other);
}

function placesOfWords({ prose }: Reading): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let word = 0; word < prose.wordCount; word++) {
    const text = prose.words[word]!;
    if (text.length < 3) continue;
    const list = places.get(text);
    if (list) list.push(word);
    else places.set(text, [word]);
  }
  return places;
}

/** Words that are part of a character's name, or mostly written with a capital inside sentences: no habit of style. */
function nameWords({ prose, dialogue }: Reading): Set<string> {
  const names = new Set(
    dialogue.cast.characters.flatMap(({ aliases }) => aliases.flatMap((alias) => alias.toLowerCase().split(/[\s.]+/))),
  );
  const inside = new Map<string, [capital: number, all: number]>();
  for (let word = 0; word < prose.wordCount; word++) {
    const trait = prose.traits[word]!;
    if (trait & OPENS) continue;
    const text = prose.words[word]!;
    const counts = inside.get(text) ?? [0, 0];
    counts[1]++;
    if (trait & CAPITAL) counts[0]++;
    inside.set(text, counts);
  }
  for (const [word, [capital, all]] of inside) if (word !== "i" && capital > all / 2) names.add(word);
  names.delete("i");
  return names;
}

/** "for a moment" makes "a moment" superfluous. */
function withoutParts(phrases: readonly Overuse[]): Overuse[] {
  return phrases.filter(
    ({ phrase, count }) =>
      !phrases.some(
        (other) => other.phrase !== phrase && ` ${other.phrase} `.includes(` ${phrase} `) && other.count > 0.6 * count,
      ),
  );
}
