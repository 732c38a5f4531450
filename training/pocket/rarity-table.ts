import { RARITY_BANDS, rarityBand } from "../../src/prose/word-rarity.ts";
import type { Corpus } from "./corpus.ts";

/** How rare the corpus's words are among some of its chapters: the band of each, by its position in `corpus.words`. */
export interface RarityTables {
  readonly full: Uint8Array;
  /**
   * The bands as if one story were absent. A chapter used in training is read so: a new text has a subject of its own,
   * whose words the table has not counted, and training must look the same.
   */
  withoutStory(story: string): Uint8Array;
}

interface Counts {
  readonly counts: Uint32Array;
  chapters: number;
}

export function rarityTables({ words, chapters }: Corpus, training: readonly number[]): RarityTables {
  const size = words.hashes.length;
  const all: Counts = { counts: new Uint32Array(size), chapters: 0 };
  const byStory = new Map<string, Counts>();
  for (const chapter of training) {
    const { story } = chapters[chapter]!;
    const own = byStory.get(story) ?? { counts: new Uint32Array(size), chapters: 0 };
    byStory.set(story, own);
    for (const { counts } of [all, own]) {
      for (const position of words.byChapter[chapter]!) counts[position] = counts[position]! + 1;
    }
    all.chapters++;
    own.chapters++;
  }
  const bandsWithout = (left: Counts | null) =>
    Uint8Array.from(all.counts, (count, position) =>
      rarityBand((count - (left?.counts[position] ?? 0)) / (all.chapters - (left?.chapters ?? 0))),
    );
  const without = new Map([...byStory].map(([story, own]) => [story, bandsWithout(own)]));
  const full = bandsWithout(null);
  return { full, withoutStory: (story) => without.get(story) ?? full };
}

/** The table as the weights file holds it: a word that is not listed is of the rarest band. */
export function listedRarity({ words }: Corpus, bands: Uint8Array): { hashes: Uint32Array; bands: Uint8Array } {
  const isListed = (_: number, position: number) => bands[position]! < RARITY_BANDS - 1;
  return { hashes: words.hashes.filter(isListed), bands: bands.filter(isListed) };
}
