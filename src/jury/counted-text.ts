import type { HashIndex } from "../prose/hashing.ts";
import type { WordRarity } from "../prose/reference/reference-words.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";
import { countStyle } from "../prose/style-features.ts";
import { type CharacterCodes, RUNS_PER_CHARACTER, type RunIndex } from "./character-runs.ts";
import { ngramBuffer, type SentenceHashes, sentenceNgrams } from "./sentence-hashes.ts";

/** A text with its features counted sentence by sentence; a window is the sum over its sentences. */
export interface CountedText {
  readonly prose: ScannedProse;
  /** Style counts, sentence by sentence; see {@link countStyle}. */
  readonly style: Float32Array;
  /** The n-grams in the judge's vocabulary, as positions in it, sentence by sentence. */
  readonly ngrams: Uint32Array;
  readonly firstNgram: Uint32Array;
}

/** The counts that all jurors need from a text, made once. */
export interface SharedCounts {
  readonly words: SentenceHashes;
  readonly characters: CharacterCodes;
  readonly style: Float32Array;
}

export function readProse(prose: ScannedProse, rarity: WordRarity, vocabulary: HashIndex): CountedText {
  const hashes = ngramBuffer(prose);
  const firstNgram = new Uint32Array(prose.sentenceCount + 1);
  let ngrams = new Uint32Array(Math.max(64, prose.tokens.length * 2));
  let total = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const count = sentenceNgrams(prose, sentence, hashes);
    if (total + count > ngrams.length) {
      const larger = new Uint32Array(ngrams.length * 2 + count);
      larger.set(ngrams);
      ngrams = larger;
    }
    for (let i = 0; i < count; i++) {
      const position = vocabulary.find(hashes[i]!);
      if (position !== -1) ngrams[total++] = position;
    }
    firstNgram[sentence + 1] = total;
  }
  return { prose, style: countStyle(prose, rarity), ngrams: ngrams.subarray(0, total), firstNgram };
}

/** The same from counts that several judges share: the hashes of a text's n-grams, its characters and its style. */
export function readShared(
  prose: ScannedProse,
  { words, characters, style }: SharedCounts,
  vocabulary: HashIndex,
  runs: RunIndex,
): CountedText {
  const fromCharacters = runs.size > 0 ? RUNS_PER_CHARACTER * characters.codes.length : 0;
  const ngrams = new Uint32Array(words.hashes.length + fromCharacters + 1);
  const firstNgram = new Uint32Array(prose.sentenceCount + 1);
  let total = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    total = lookUp(words, sentence, vocabulary, ngrams, total);
    if (runs.size > 0) total = runs.look(characters, sentence, vocabulary.size, ngrams, total);
    firstNgram[sentence + 1] = total;
  }
  return { prose, style, ngrams: ngrams.subarray(0, total), firstNgram };
}

/**
 * Appends the vocabulary positions of a sentence's hashes to the `total` that are written, and returns the new total.
 */
function lookUp(
  { hashes, first }: SentenceHashes,
  sentence: number,
  index: HashIndex,
  places: Uint32Array,
  total: number,
): number {
  const end = first[sentence + 1]!;
  let written = total;
  for (let at = first[sentence]!; at < end; at++) {
    const place = index.find(hashes[at]!);
    if (place !== -1) places[written++] = place;
  }
  return written;
}
