import type { CountedText } from "../../src/jury/counted-text.ts";
import type { FeatureScales } from "../../src/jury/window-features.ts";
import { RARITY_BANDS, rarityBand } from "../../src/prose/reference/reference-words.ts";
import { FIRST_RARITY_FEATURE, STYLE_FEATURES } from "../../src/prose/style-features.ts";
import { type Corpus, groupCounts, type Occurrences } from "./corpus.ts";
import type { TrainingSettings } from "./settings.ts";

/** The features as some chapters define them: which n-grams are kept, how rare words are, how features are scaled. */
export interface FeatureSpace {
  readonly ngramHashes: Uint32Array;
  readonly scales: FeatureScales;
  readonly rarityHashes: Uint32Array;
  readonly rarityBands: Uint8Array;
  /** A chapter as this space sees it; for a chapter the space was made from, as if its own story had not been there. */
  read(chapter: number): CountedText;
}

/** Which n-grams are worth keeping. */
type VocabularySettings = Pick<TrainingSettings, "familyShare" | "storyShare">;

export function featureSpace(corpus: Corpus, training: readonly number[], settings: VocabularySettings): FeatureSpace {
  const { kept, inverseFrequency } = vocabularyOf(corpus, training, settings);
  const placeOf = new Int32Array(corpus.ngrams.hashes.length).fill(-1);
  kept.forEach((position, place) => {
    placeOf[position] = place;
  });
  const rarity = rarityTables(corpus, training);
  const own = new Set(training);
  const readings = new Map<number, CountedText>();
  const read = (chapter: number): CountedText => {
    const known = readings.get(chapter);
    if (known) return known;
    const bands = own.has(chapter) ? rarity.withoutStory(corpus.chapters[chapter]!.story) : rarity.full;
    const reading = {
      prose: corpus.prose[chapter]!,
      style: styleWithRarity(corpus, chapter, bands),
      ...keptNgrams(corpus.ngrams, chapter, placeOf),
    };
    readings.set(chapter, reading);
    return reading;
  };
  const { hashes: rarityHashes, bands: rarityBands } = listedRarity(corpus, rarity.full);
  return {
    ngramHashes: Uint32Array.from(kept, (position) => corpus.ngrams.hashes[position]!),
    scales: { style: styleScales(training.map(read)), inverseFrequency },
    rarityHashes,
    rarityBands,
    read,
  };
}

/**
 * N-grams of many writers and many stories, so that no prompt's matter and no writer's tic can be learnt. How many are
 * many is a share of those there are: a fold that holds half the stories must not end up without n-grams.
 */
function vocabularyOf({ ngrams, chapters }: Corpus, training: readonly number[], settings: VocabularySettings) {
  const distinct = (nameOf: (chapter: number) => string) => new Set(training.map(nameOf)).size;
  const familyOf = (chapter: number) => chapters[chapter]!.family;
  const storyOf = (chapter: number) => chapters[chapter]!.story;
  const minimumFamilies = settings.familyShare * distinct(familyOf);
  const minimumStories = settings.storyShare * distinct(storyOf);
  const families = groupCounts(ngrams, training, familyOf);
  const stories = groupCounts(ngrams, training, storyOf);
  const frequency = groupCounts(ngrams, training, String);
  const kept: number[] = [];
  for (let position = 0; position < ngrams.hashes.length; position++) {
    if (families[position]! >= minimumFamilies && stories[position]! >= minimumStories) kept.push(position);
  }
  const inverse = kept.map((position) => Math.log((1 + training.length) / (1 + frequency[position]!)) + 1);
  return { kept, inverseFrequency: Float32Array.from(inverse) };
}

function styleWithRarity({ style, words }: Corpus, chapter: number, bands: Uint8Array): Float32Array {
  const counts = style[chapter]!.slice();
  const { positions, firstOf } = words.sequences[chapter]!;
  for (let sentence = 0; sentence + 1 < firstOf.length; sentence++) {
    const first = sentence * STYLE_FEATURES.length + FIRST_RARITY_FEATURE;
    counts[first] = 0;
    for (let at = firstOf[sentence]!; at < firstOf[sentence + 1]!; at++) {
      const feature = first + bands[positions[at]!]!;
      counts[feature] = counts[feature]! + 1;
    }
  }
  return counts;
}

function keptNgrams({ sequences }: Occurrences, chapter: number, placeOf: Int32Array) {
  const { positions, firstOf } = sequences[chapter]!;
  const ngrams = new Uint32Array(positions.length);
  const firstNgram = new Uint32Array(firstOf.length);
  let count = 0;
  for (let sentence = 0; sentence + 1 < firstOf.length; sentence++) {
    for (let at = firstOf[sentence]!; at < firstOf[sentence + 1]!; at++) {
      const place = placeOf[positions[at]!]!;
      if (place !== -1) ngrams[count++] = place;
    }
    firstNgram[sentence + 1] = count;
  }
  return { ngrams: ngrams.slice(0, count), firstNgram };
}

/** One over the spread of each style feature among whole chapters: all of them together vary about as much as one. */
function styleScales(readings: readonly CountedText[]): Float32Array {
  const width = STYLE_FEATURES.length;
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  for (const { style, prose } of readings) {
    const counts = new Float64Array(width);
    for (let base = 0; base < style.length; base += width) {
      for (let feature = 0; feature < width; feature++) counts[feature] = counts[feature]! + style[base + feature]!;
    }
    for (let feature = 0; feature < width; feature++) {
      const rate = counts[feature]! / prose.wordCount;
      sums[feature] = sums[feature]! + Math.sqrt(rate);
      squares[feature] = squares[feature]! + rate;
    }
  }
  return Float32Array.from(sums, (sum, feature) => {
    const mean = sum / readings.length;
    const variance = squares[feature]! / readings.length - mean * mean;
    return variance > 1e-12 ? 1 / Math.sqrt(variance * width) : 0;
  });
}

/** How rare the corpus's words are among some of its chapters: the band of each, by its position in `corpus.words`. */
interface RarityTables {
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

function rarityTables({ words, chapters }: Corpus, training: readonly number[]): RarityTables {
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
function listedRarity({ words }: Corpus, bands: Uint8Array): { hashes: Uint32Array; bands: Uint8Array } {
  const isListed = (_: number, position: number) => bands[position]! < RARITY_BANDS - 1;
  return { hashes: words.hashes.filter(isListed), bands: bands.filter(isListed) };
}
