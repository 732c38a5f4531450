import { STYLE_FEATURES } from "../prose/style-features.ts";
import { sum } from "../stats/distribution.ts";
import type { CountedText } from "./counted-text.ts";

/**
 * Divides sentences into windows of about `target` words each, as equal as whole sentences allow. Returns the
 * boundaries: window `w` holds the sentences from `borders[w]` up to `borders[w + 1]`. The judge was trained on
 * pieces of this size, and a long text is the mean of its windows: this, not a later correction, keeps its score from
 * growing with length.
 */
export function windowBorders(words: Uint32Array, target: number): Uint32Array {
  const total = sum(words);
  const windows = Math.max(1, Math.min(words.length, Math.round(total / target)));
  const borders = [0];
  let seen = 0;
  for (let sentence = 0; sentence < words.length - 1 && borders.length < windows; sentence++) {
    seen += words[sentence]!;
    if (seen >= (total * borders.length) / windows) borders.push(sentence + 1);
  }
  borders.push(words.length);
  return Uint32Array.from(borders);
}

const STYLE = STYLE_FEATURES.length;
/** Columns: the logarithm of the length, then the style features, then the n-grams, runs of characters last. */
export const LENGTH_COLUMN = 0;
export const FIRST_STYLE_COLUMN = 1;
export const FIRST_NGRAM_COLUMN = 1 + STYLE;
/** A local copy for the loops below, because Node 20 looks up an exported name again in each iteration. */
const NGRAMS_FROM = FIRST_NGRAM_COLUMN;

/** The length at which the length feature is zero, and its scale, which only affect numerical conditioning. */
const USUAL_WORDS = 600;
const LENGTH_SCALE = 0.1;

/** 1 + ln for small counts, which almost all are. */
const DAMPED = Float64Array.from({ length: 256 }, (_, count) => 1 + Math.log(count));

export function lengthFeature(words: number): number {
  return LENGTH_SCALE * Math.log(Math.max(words, 1) / USUAL_WORDS);
}

export interface FeatureScales {
  /** One per style feature: makes their spreads alike. */
  readonly style: Float32Array;
  /** One per n-gram: how informative its presence is, log((1 + chapters) / (1 + chapters with it)) + 1. */
  readonly inverseFrequency: Float32Array;
  /** How many of the n-grams, at the end of the list, are runs of characters. */
  readonly characterRuns?: number;
}

/**
 * The feature vector of one window at a time, in arrays that are reused for the next. A style feature is the square
 * root of its rate per word; an n-gram is sub-linear TF-IDF, (1 + ln count) × idf, with the words and pairs of a
 * window scaled to unit length together, and its runs of characters likewise. Both are functions of a count, so a
 * feature's part of the score divides evenly among its occurrences: {@link occurrences}.
 */
export class WindowFeatures {
  /** Columns with a value in this window, in order of first occurrence; the length is the last. */
  readonly present: Uint32Array;
  presentCount = 0;
  /**
   * `values[i]` belongs to the column `present[i]`. Stored side by side, because by column each would need a cache
   * line of its own.
   */
  readonly values: Float64Array;
  words = 0;

  /** By column; all 0 between two windows. */
  private readonly counts: Uint32Array;
  /** `presentCounts[i]` belongs to the column `present[i]`. */
  private readonly presentCounts: Uint32Array;
  private readonly scales: FeatureScales;
  private ofOne: Float64Array | undefined;

  constructor(scales: FeatureScales) {
    this.scales = scales;
    const columns = FIRST_NGRAM_COLUMN + scales.inverseFrequency.length;
    // One more than the number of columns: a column that was already present is written after the others, and
    // overwritten by the next.
    this.present = new Uint32Array(columns + 1);
    this.values = new Float64Array(columns);
    this.counts = new Uint32Array(columns);
    this.presentCounts = new Uint32Array(columns);
  }

  /** The value of the length feature. */
  get length(): number {
    return this.values[this.presentCount - 1]!;
  }

  /** Reads the sentences from `from` up to `to`. */
  read(reading: CountedText, from: number, to: number): void {
    this.words = 0;
    this.presentCount = 0;
    for (let sentence = from; sentence < to; sentence++) {
      this.words += reading.prose.words[sentence]!;
      this.countStyle(reading.style, sentence * STYLE);
      this.countNgrams(reading.ngrams, reading.firstNgram[sentence]!, reading.firstNgram[sentence + 1]!);
    }
    this.weigh();
  }

  /** For each present column, the value of a single occurrence of the feature. */
  occurrences(): Float64Array {
    this.ofOne ??= new Float64Array(this.counts.length);
    for (let i = 0; i < this.presentCount; i++) this.ofOne[this.present[i]!] = this.values[i]! / this.presentCounts[i]!;
    return this.ofOne;
  }

  private countStyle(style: Float32Array, first: number): void {
    for (let f = 0; f < STYLE; f++) {
      const amount = style[first + f]!;
      if (amount === 0) continue;
      const column = FIRST_STYLE_COLUMN + f;
      if (this.counts[column] === 0) this.present[this.presentCount++] = column;
      this.counts[column] = this.counts[column]! + amount;
    }
  }

  /**
   * Most of a judge's time is spent here. No branch checks whether a column is new, since no processor could predict
   * it.
   */
  private countNgrams(ngrams: Uint32Array, from: number, to: number): void {
    const { counts, present } = this;
    let presentCount = this.presentCount;
    for (let n = from; n < to; n++) {
      const column = NGRAMS_FROM + ngrams[n]!;
      const before = counts[column]!;
      present[presentCount] = column;
      presentCount += (before - 1) >>> 31;
      counts[column] = before + 1;
    }
    this.presentCount = presentCount;
  }

  private weigh(): void {
    const { counts, present, presentCounts, values, words } = this;
    const { style, inverseFrequency } = this.scales;
    const firstRun = FIRST_NGRAM_COLUMN + inverseFrequency.length - (this.scales.characterRuns ?? 0);
    const last = this.presentCount;
    let wordSquares = 0;
    let runSquares = 0;
    for (let i = 0; i < last; i++) {
      const column = present[i]!;
      const count = counts[column]!;
      counts[column] = 0;
      presentCounts[i] = count;
      if (column < NGRAMS_FROM) {
        values[i] = Math.sqrt(count / words) * style[column - FIRST_STYLE_COLUMN]!;
      } else {
        const damped = count < DAMPED.length ? DAMPED[count]! : 1 + Math.log(count);
        const value = damped * inverseFrequency[column - NGRAMS_FROM]!;
        if (column < firstRun) wordSquares += value * value;
        else runSquares += value * value;
        values[i] = value;
      }
    }
    const wordUnit = wordSquares > 0 ? 1 / Math.sqrt(wordSquares) : 0;
    const runUnit = runSquares > 0 ? 1 / Math.sqrt(runSquares) : 0;
    for (let i = 0; i < last; i++) {
      const column = present[i]!;
      if (column >= firstRun) values[i] = values[i]! * runUnit;
      else if (column >= NGRAMS_FROM) values[i] = values[i]! * wordUnit;
    }
    present[last] = LENGTH_COLUMN;
    presentCounts[last] = 1;
    values[last] = lengthFeature(words);
    this.presentCount = last + 1;
  }
}
