import { STYLE_FEATURES } from "../prose/style-features.ts";
import type { Reading } from "./reading.ts";

const STYLE = STYLE_FEATURES.length;
/** Columns: the logarithm of the length, then the style features, then the n-grams, runs of characters last. */
export const LENGTH_COLUMN = 0;
export const FIRST_STYLE_COLUMN = 1;
export const FIRST_NGRAM_COLUMN = 1 + STYLE;

/** The length at which the length feature is zero, and its scale: a matter of conditioning, not of meaning. */
const USUAL_WORDS = 600;
const LENGTH_SCALE = 0.1;

/** Of small counts, which almost all are. */
const LOGARITHMS = Float64Array.from({ length: 256 }, (_, count) => Math.log(count));

export function lengthFeature(words: number): number {
  return LENGTH_SCALE * Math.log(Math.max(words, 1) / USUAL_WORDS);
}

export interface FeatureScales {
  /** One per style feature: makes their spreads alike. */
  readonly style: Float32Array;
  /** One per n-gram: how much its presence says, log((1 + chapters) / (1 + chapters with it)) + 1. */
  readonly inverseFrequency: Float32Array;
  /** How many of the n-grams, the last ones, are runs of characters. */
  readonly characterRuns?: number;
}

/**
 * The feature vector of one window at a time, held in arrays that are used again for the next.
 *
 * A style feature is the square root of its rate per word; an n-gram is sub-linear TF-IDF, (1 + ln count) × idf, with
 * the words and pairs of a window scaled to unit length together, and its runs of characters likewise. Either is a function of a count, so a feature's part of the
 * score divides evenly over its occurrences: {@link ofOneOccurrence}.
 */
export class WindowFeatures {
  /** Columns with a value in this window, in order of first occurrence. */
  readonly present: Uint32Array;
  presentCount = 0;
  /** By column. */
  readonly values: Float64Array;
  words = 0;

  private readonly counts: Float64Array;
  private readonly scales: FeatureScales;

  constructor(scales: FeatureScales) {
    this.scales = scales;
    const columns = FIRST_NGRAM_COLUMN + scales.inverseFrequency.length;
    this.present = new Uint32Array(columns);
    this.values = new Float64Array(columns);
    this.counts = new Float64Array(columns);
  }

  /** Reads the sentences from `from` up to `to`. The loop over n-grams is where a judge spends its time. */
  read(reading: Reading, from: number, to: number): void {
    this.clear();
    const { counts, present } = this;
    const { ngrams, firstNgram } = reading;
    for (let sentence = from; sentence < to; sentence++) {
      this.words += reading.prose.words[sentence]!;
      const style = sentence * STYLE;
      for (let f = 0; f < STYLE; f++) {
        const amount = reading.style[style + f]!;
        if (amount > 0) this.count(FIRST_STYLE_COLUMN + f, amount);
      }
      const end = firstNgram[sentence + 1]!;
      let presentCount = this.presentCount;
      for (let n = firstNgram[sentence]!; n < end; n++) {
        const column = FIRST_NGRAM_COLUMN + ngrams[n]!;
        const before = counts[column]!;
        if (before === 0) present[presentCount++] = column;
        counts[column] = before + 1;
      }
      this.presentCount = presentCount;
    }
    this.weigh();
  }

  /** The value of one of a feature's occurrences. */
  ofOneOccurrence(column: number): number {
    return this.values[column]! / this.counts[column]!;
  }

  private clear(): void {
    for (let i = 0; i < this.presentCount; i++) this.counts[this.present[i]!] = 0;
    this.presentCount = 0;
    this.words = 0;
  }

  private count(column: number, amount: number): void {
    const before = this.counts[column]!;
    if (before === 0) this.present[this.presentCount++] = column;
    this.counts[column] = before + amount;
  }

  private weigh(): void {
    const { counts, present, presentCount, values, words } = this;
    const { style, inverseFrequency } = this.scales;
    const firstRun = FIRST_NGRAM_COLUMN + inverseFrequency.length - (this.scales.characterRuns ?? 0);
    let wordSquares = 0;
    let runSquares = 0;
    for (let i = 0; i < presentCount; i++) {
      const column = present[i]!;
      const count = counts[column]!;
      if (column < FIRST_NGRAM_COLUMN) {
        values[column] = Math.sqrt(count / words) * style[column - FIRST_STYLE_COLUMN]!;
      } else {
        const logarithm = count < LOGARITHMS.length ? LOGARITHMS[count]! : Math.log(count);
        const value = (1 + logarithm) * inverseFrequency[column - FIRST_NGRAM_COLUMN]!;
        if (column < firstRun) wordSquares += value * value;
        else runSquares += value * value;
        values[column] = value;
      }
    }
    const wordUnit = wordSquares > 0 ? 1 / Math.sqrt(wordSquares) : 0;
    const runUnit = runSquares > 0 ? 1 / Math.sqrt(runSquares) : 0;
    for (let i = 0; i < presentCount; i++) {
      const column = present[i]!;
      if (column >= firstRun) values[column] = values[column]! * runUnit;
      else if (column >= FIRST_NGRAM_COLUMN) values[column] = values[column]! * wordUnit;
    }
    counts[LENGTH_COLUMN] = 1;
    present[this.presentCount++] = LENGTH_COLUMN;
    values[LENGTH_COLUMN] = lengthFeature(words);
  }
}
