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
 * score divides evenly over its occurrences: {@link perOccurrence} is the value of one.
 */
export class WindowFeatures {
  /** Columns with a value in this window, in order of first occurrence. */
  readonly present: Uint32Array;
  presentCount = 0;
  /** By column: the value, and the value divided by the count. */
  readonly values: Float64Array;
  readonly perOccurrence: Float64Array;
  words = 0;

  private readonly counts: Float64Array;
  private readonly scales: FeatureScales;

  constructor(scales: FeatureScales) {
    this.scales = scales;
    const columns = FIRST_NGRAM_COLUMN + scales.inverseFrequency.length;
    this.present = new Uint32Array(columns);
    this.values = new Float64Array(columns);
    this.perOccurrence = new Float64Array(columns);
    this.counts = new Float64Array(columns);
  }

  /** Reads the sentences from `from` up to `to`. */
  read(reading: Reading, from: number, to: number): void {
    this.clear();
    for (let sentence = from; sentence < to; sentence++) {
      this.words += reading.prose.words[sentence]!;
      const style = sentence * STYLE;
      for (let f = 0; f < STYLE; f++) {
        const amount = reading.style[style + f]!;
        if (amount > 0) this.count(FIRST_STYLE_COLUMN + f, amount);
      }
      for (let n = reading.firstNgram[sentence]!; n < reading.firstNgram[sentence + 1]!; n++) {
        this.count(FIRST_NGRAM_COLUMN + reading.ngrams[n]!, 1);
      }
    }
    this.weigh();
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
    const { style, inverseFrequency } = this.scales;
    const firstRun = FIRST_NGRAM_COLUMN + inverseFrequency.length - (this.scales.characterRuns ?? 0);
    let wordSquares = 0;
    let runSquares = 0;
    for (let i = 0; i < this.presentCount; i++) {
      const column = this.present[i]!;
      const count = this.counts[column]!;
      if (column < FIRST_NGRAM_COLUMN) {
        this.values[column] = Math.sqrt(count / this.words) * style[column - FIRST_STYLE_COLUMN]!;
      } else {
        const value = (1 + Math.log(count)) * inverseFrequency[column - FIRST_NGRAM_COLUMN]!;
        if (column < firstRun) wordSquares += value * value;
        else runSquares += value * value;
        this.values[column] = value;
      }
    }
    const wordUnit = wordSquares > 0 ? 1 / Math.sqrt(wordSquares) : 0;
    const runUnit = runSquares > 0 ? 1 / Math.sqrt(runSquares) : 0;
    for (let i = 0; i < this.presentCount; i++) {
      const column = this.present[i]!;
      if (column >= firstRun) this.values[column] = this.values[column]! * runUnit;
      else if (column >= FIRST_NGRAM_COLUMN) this.values[column] = this.values[column]! * wordUnit;
      this.perOccurrence[column] = this.values[column]! / this.counts[column]!;
    }
    this.counts[LENGTH_COLUMN] = 1;
    this.present[this.presentCount++] = LENGTH_COLUMN;
    this.values[LENGTH_COLUMN] = lengthFeature(this.words);
    this.perOccurrence[LENGTH_COLUMN] = 0;
  }
}
