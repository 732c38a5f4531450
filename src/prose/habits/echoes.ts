import type { Passage } from "../map/passage.ts";
import { type Reading, spanOfWords } from "../map/reading.ts";
import { CAPITAL } from "../reading/prose-text.ts";
import type { ReferenceWords } from "../reference/reference-words.ts";

/** A rare word that comes back soon. */
export interface Echo {
  readonly word: string;
  /** Words between the two. */
  readonly distance: number;
  /** From the first to the second. */
  readonly passage: Passage;
}

const REACH = 200;
const SHORTEST = 5;
/** Rarer than this in the reference novels: once in a hundred thousand words. */
const RARE = 1 / 100_000;
/** A word this frequent in the book itself belongs to its subject. */
const SUBJECT = 1 / 4_000;

export function findEchoes({ prose, locate }: Reading, reference: ReferenceWords): Echo[] {
  const own = new Map<string, number>();
  for (const word of prose.words) own.set(word, (own.get(word) ?? 0) + 1);
  const isRare = (word: string) =>
    word.length >= SHORTEST &&
    (reference.counts.get(word) ?? 0) < RARE * reference.total &&
    own.get(word)! <= Math.max(4, SUBJECT * prose.wordCount);
  const lastAt = new Map<string, number>();
  const echoes: Echo[] = [];
  for (let word = 0; word < prose.wordCount; word++) {
    const text = prose.words[word]!;
    if (prose.traits[word]! & CAPITAL || own.get(text)! < 2 || !isRare(text)) continue;
    const before = lastAt.get(text);
    lastAt.set(text, word);
    if (before === undefined || word - before > REACH) continue;
    echoes.push({ word: text, distance: word - before, passage: locate(spanOfWords(prose, before, word + 1)) });
  }
  return echoes.sort((left, right) => left.distance - right.distance);
}
