import { HashIndex } from "../hash-index.ts";
import { type Reading, readProse } from "../reading.ts";
import { STYLE_FEATURES } from "../style-features.ts";
import { type FeatureScales, FIRST_STYLE_COLUMN, WindowFeatures } from "../window-features.ts";
import { RARITY_BANDS, rarityBand, rarityFrom, type WordRarity } from "../word-rarity.ts";
import { type Corpus, groupCounts } from "./corpus.ts";
import type { TrainingSettings } from "./settings.ts";

/** The features as some chapters define them: which n-grams are kept, how rare words are, how features are scaled. */
export interface FeatureSpace {
  readonly ngramHashes: Uint32Array;
  readonly scales: FeatureScales;
  readonly rarityHashes: Uint32Array;
  readonly rarityBands: Uint8Array;
  /** A chapter as this space sees it; for a chapter the space was made from, as if its own story had not been there. */
  read(chapter: number): Reading;
}

export function featureSpace(corpus: Corpus, training: readonly number[], settings: TrainingSettings): FeatureSpace {
  const { ngramHashes, inverseFrequency } = vocabularyOf(corpus, training, settings);
  const rarity = rarityOf(corpus, training);
  const vocabulary = new HashIndex(ngramHashes);
  const own = new Set(training);
  const readings = new Map<number, Reading>();
  const read = (chapter: number): Reading => {
    const known = readings.get(chapter);
    if (known) return known;
    const { story } = corpus.chapters[chapter]!;
    const wordRarity = own.has(chapter) ? rarity.withoutStory(story) : rarity.full;
    const reading = readProse(corpus.prose[chapter]!, wordRarity, vocabulary);
    readings.set(chapter, reading);
    return reading;
  };
  const style = styleScales(corpus, training, read, settings.styleScale);
  const scales: FeatureScales = { style, inverseFrequency, ngramScale: settings.ngramScale };
  return { ngramHashes, scales, rarityHashes: rarity.hashes, rarityBands: rarity.bands, read };
}

/** N-grams of many writers and many stories, so that no prompt's matter and no writer's tic can be learnt. */
function vocabularyOf({ ngrams, chapters }: Corpus, training: readonly number[], settings: TrainingSettings) {
  const families = groupCounts(ngrams, training, (chapter) => chapters[chapter]!.family);
  const stories = groupCounts(ngrams, training, (chapter) => chapters[chapter]!.story);
  const frequency = groupCounts(ngrams, training, String);
  const hashes: number[] = [];
  const inverse: number[] = [];
  for (let position = 0; position < ngrams.hashes.length; position++) {
    if (families[position]! < settings.minimumFamilies || stories[position]! < settings.minimumStories) continue;
    hashes.push(ngrams.hashes[position]!);
    inverse.push(Math.log((1 + training.length) / (1 + frequency[position]!)) + 1);
  }
  return { ngramHashes: Uint32Array.from(hashes), inverseFrequency: Float32Array.from(inverse) };
}

/**
 * How rare words are among the chapters. A chapter used in training is read as if its own story were absent: a new text
 * has a subject of its own, whose words the table has not counted, and training must look the same.
 */
function rarityOf({ words, chapters }: Corpus, training: readonly number[]) {
  const stories = [...new Set(training.map((chapter) => chapters[chapter]!.story))].sort();
  const size = words.hashes.length;
  const all = new Uint32Array(size);
  const byStory = new Map(
    stories.map((story): [string, { counts: Uint32Array; chapters: number }] => [
      story,
      { counts: new Uint32Array(size), chapters: 0 },
    ]),
  );
  for (const chapter of training) {
    const own = byStory.get(chapters[chapter]!.story)!;
    own.chapters++;
    for (const position of words.byChapter[chapter]!) {
      all[position] = all[position]! + 1;
      own.counts[position] = own.counts[position]! + 1;
    }
  }
  const tableOf = (without: { counts: Uint32Array; chapters: number } | null) => {
    const hashes: number[] = [];
    const bands: number[] = [];
    for (let position = 0; position < size; position++) {
      const count = all[position]! - (without ? without.counts[position]! : 0);
      const band = rarityBand(count / (training.length - (without?.chapters ?? 0)));
      if (band === RARITY_BANDS - 1) continue;
      hashes.push(words.hashes[position]!);
      bands.push(band);
    }
    return { hashes: Uint32Array.from(hashes), bands: Uint8Array.from(bands) };
  };
  const { hashes, bands } = tableOf(null);
  const without = new Map<string, WordRarity>();
  return {
    hashes,
    bands,
    full: rarityFrom(hashes, bands),
    withoutStory(story: string): WordRarity {
      const known = without.get(story);
      if (known) return known;
      const table = tableOf(byStory.get(story) ?? null);
      const rarity = rarityFrom(table.hashes, table.bands);
      without.set(story, rarity);
      return rarity;
    },
  };
}

/** One over the spread of each style feature among whole chapters, times the weight of style. */
function styleScales(
  corpus: Corpus,
  training: readonly number[],
  read: (chapter: number) => Reading,
  weight: number,
): Float32Array {
  const width = STYLE_FEATURES.length;
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  const features = new WindowFeatures({
    style: new Float32Array(width).fill(1),
    inverseFrequency: new Float32Array(corpus.ngrams.hashes.length),
    ngramScale: 1,
  });
  for (const chapter of training) {
    const reading = read(chapter);
    features.read(reading, 0, reading.prose.sentenceCount);
    for (let i = 0; i < features.presentCount; i++) {
      const column = features.present[i]!;
      const feature = column - FIRST_STYLE_COLUMN;
      if (feature < 0 || feature >= width) continue;
      const value = features.values[column]!;
      sums[feature] = sums[feature]! + value;
      squares[feature] = squares[feature]! + value * value;
    }
  }
  return Float32Array.from(sums, (sum, feature) => {
    const mean = sum / training.length;
    const variance = squares[feature]! / training.length - mean * mean;
    return variance > 1e-12 ? weight / Math.sqrt(variance * width) : 0;
  });
}
