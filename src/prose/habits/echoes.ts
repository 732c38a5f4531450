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
  const own = new Uint32Array(prose.vocabulary.length);
  for (const id of prose.ids) own[id]!++;
  const most = Math.max(4, SUBJECT * prose.wordCount);
  const isRare = prose.vocabulary.map(
    (word, id) =>
      own[id]! >= 2 &&
      own[id]! <= most &&
      word.length >= SHORTEST &&
      (reference.counts.get(word) ?? 0) < RARE * reference.total,
  );
  const lastAt = new Int32Array(prose.vocabulary.length).fill(-1);
  const echoes: Echo[] = [];
  for (let word = 0; word < prose.wordCount; word++) {
    const id = prose.ids[word]!;
    if (!isRare[id] || prose.traits[word]! & CAPITAL) continue;
    const before = lastAt[id]!;
    lastAt[id] = word;
    if (before === -1 || word - before > REACH) continue;
    const passage = locate(spanOfWords(prose, before, word + 1));
    echoes.push({ word: prose.vocabulary[id]!, distance: word - before, passage });
  }
  return echoes.sort((left, right) => left.distance - right.distance);
}
