import { ADJOINS, type ProseText } from "../reading.ts";

export interface PhraseUse {
  readonly phrase: string;
  /** Where it begins, in words, and how many words it has. */
  readonly at: readonly number[];
  readonly length: number;
}

const LONGEST = 4;

/**
 * Phrases of two to four words that occur at least `fewest` times, none across a mark. A phrase is grown only where its
 * beginning is frequent already, so most of a book's word sequences are never stored.
 */
export function frequentPhrases(prose: ProseText, fewest: number): PhraseUse[] {
  const { ids } = prose;
  // group[word]: the frequent phrase of the current length that begins here, or -1.
  let group: Int32Array = ids;
  // No phrase comes back more often than the rarest of its words.
  const uses = new Uint32Array(prose.vocabulary.length);
  for (let word = 0; word < prose.wordCount; word++) uses[ids[word]!]!++;
  const found: PhraseUse[] = [];
  for (let length = 2; length <= LONGEST; length++) {
    const counts = new Map<number, number>();
    const keyAt = (word: number): number => {
      const last = word + length - 1;
      if (last >= prose.wordCount || !(prose.traits[last]! & ADJOINS) || group[word] === -1) return -1;
      if (uses[ids[word]!]! < fewest || uses[ids[last]!]! < fewest) return -1;
      if (length > 2 && group[word + 1] === -1) return -1;
      return group[word]! * MOST_WORDS + ids[last]!;
    };
    for (let word = 0; word < prose.wordCount; word++) {
      const key = keyAt(word);
      if (key >= 0) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const kept = new Map<number, number>();
    const places: number[][] = [];
    const next = new Int32Array(prose.wordCount).fill(-1);
    for (let word = 0; word < prose.wordCount; word++) {
      const key = keyAt(word);
      if (key < 0 || counts.get(key)! < fewest) continue;
      let id = kept.get(key);
      if (id === undefined) {
        id = kept.size;
        kept.set(key, id);
        places.push([]);
      }
      next[word] = id;
      places[id]!.push(word);
    }
    for (const at of places) found.push({ phrase: prose.words.slice(at[0], at[0]! + length).join(" "), at, length });
    group = next;
  }
  return found;
}

const MOST_WORDS = 1 << 21;
