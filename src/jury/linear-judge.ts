import { HashIndex } from "../prose/hashing.ts";
import { rarityFrom, type WordRarity } from "../prose/reference/reference-words.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";
import { STYLE_FEATURES } from "../prose/style-features.ts";
import { RunIndex } from "./character-runs.ts";
import { type CountedText, readProse, readShared, type SharedCounts } from "./counted-text.ts";
import type { LinearModel } from "./model-file.ts";
import { FIRST_NGRAM_COLUMN, FIRST_STYLE_COLUMN, WindowFeatures, windowBorders } from "./window-features.ts";

/** A score as a sum, per output: the intercept plus the contribution of each sentence. */
export interface Breakdown {
  /** `shares[output][sentence]`, in points of the scale. */
  readonly shares: readonly Float64Array[];
  readonly intercepts: Float64Array;
}

/** The computation of the judge, independent of what the outputs mean: windows, features, weights, sums. */
export class LinearJudge {
  private readonly outputs: number;
  private readonly rarity: WordRarity;
  private readonly vocabulary: HashIndex;
  private readonly characters: RunIndex;
  private readonly features: WindowFeatures;
  private readonly model: LinearModel;

  constructor(model: LinearModel) {
    this.model = model;
    this.outputs = model.head.outputs.length;
    this.rarity = rarityFrom(model.rarityHashes, model.rarityBands);
    const { characterRuns = 0 } = model.head;
    const words = model.ngramHashes.length - characterRuns;
    this.vocabulary = new HashIndex(model.ngramHashes.subarray(0, words));
    this.characters = new RunIndex(model.ngramHashes.subarray(words));
    this.features = new WindowFeatures({
      style: model.styleScales,
      inverseFrequency: model.inverseFrequency,
      characterRuns,
    });
  }

  /** A judge that uses runs of characters needs the shared counts; any other may make its own. */
  read(prose: ScannedProse, shared?: SharedCounts): CountedText {
    if (shared) return readShared(prose, shared, this.vocabulary, this.characters);
    if (this.characters.size > 0) throw new RangeError("this judge reads runs of characters: give the shared counts");
    return readProse(prose, this.rarity, this.vocabulary);
  }

  /** One score per output: the mean over the text's windows, each counting by its words. */
  score(reading: CountedText): Float64Array {
    const scores = new Float64Array(this.outputs);
    this.eachWindow(reading, (_from, _to, weight) => {
      this.addConstant(scores, weight);
      this.addColumns(scores, weight);
    });
    return scores;
  }

  /**
   * The same scores broken down by sentence. A feature's part of the score is divided evenly among its occurrences,
   * and no feature crosses a sentence boundary, so the shares and the intercepts add up to the scores. The part that
   * depends on length alone belongs to no sentence and is included in the intercept.
   */
  breakDown(reading: CountedText): Breakdown {
    const intercepts = new Float64Array(this.outputs);
    const bySentence = new Float64Array(reading.prose.sentenceCount * this.outputs);
    this.eachWindow(reading, (from, to, weight) => {
      this.addConstant(intercepts, weight);
      const ofOne = this.features.occurrences();
      for (let sentence = from; sentence < to; sentence++) {
        const base = sentence * this.outputs;
        this.eachOccurrence(reading, sentence, (column, amount) => {
          this.addColumn(bySentence, base, column, weight * amount * ofOne[column]!);
        });
      }
    });
    const shares = Array.from({ length: this.outputs }, (_, output) =>
      Float64Array.from(
        { length: reading.prose.sentenceCount },
        (__, sentence) => bySentence[sentence * this.outputs + output]!,
      ),
    );
    return { shares, intercepts };
  }

  /** Scores each sentence alone, as if it were the whole text: `scores[sentence * outputs + output]`. */
  scoreSentences(reading: CountedText): Float64Array {
    const scores = new Float64Array(reading.prose.sentenceCount * this.outputs);
    for (let sentence = 0; sentence < reading.prose.sentenceCount; sentence++) {
      this.features.read(reading, sentence, sentence + 1);
      const own = scores.subarray(sentence * this.outputs, (sentence + 1) * this.outputs);
      this.addConstant(own, 1);
      this.addColumns(own, 1);
    }
    return scores;
  }

  private eachWindow(reading: CountedText, visit: (from: number, to: number, weight: number) => void): void {
    const borders = windowBorders(reading.prose.words, this.model.head.window);
    for (let window = 0; window + 1 < borders.length; window++) {
      const [from, to] = [borders[window]!, borders[window + 1]!];
      this.features.read(reading, from, to);
      visit(from, to, this.features.words / reading.prose.wordCount);
    }
  }

  private eachOccurrence(
    reading: CountedText,
    sentence: number,
    visit: (column: number, amount: number) => void,
  ): void {
    const style = sentence * STYLE_FEATURES.length;
    for (let f = 0; f < STYLE_FEATURES.length; f++) {
      const amount = reading.style[style + f]!;
      if (amount > 0) visit(FIRST_STYLE_COLUMN + f, amount);
    }
    for (let n = reading.firstNgram[sentence]!; n < reading.firstNgram[sentence + 1]!; n++) {
      visit(FIRST_NGRAM_COLUMN + reading.ngrams[n]!, 1);
    }
  }

  private addConstant(into: Float64Array, weight: number): void {
    const { intercepts, lengthWeights } = this.model.head;
    const { length } = this.features;
    for (let o = 0; o < this.outputs; o++) into[o] = into[o]! + weight * (intercepts[o]! + lengthWeights[o]! * length);
  }

  /**
   * Adds all columns of the window, in the same order as {@link addColumn} for each, so that sums are identical to
   * the last bit.
   */
  private addColumns(into: Float64Array, weight: number): void {
    let output = 0;
    for (; output + 3 <= this.outputs; output += 3) this.addToThree(into, output, weight);
    for (; output < this.outputs; output++) this.addToOne(into, output, weight);
  }

  private addToOne(into: Float64Array, output: number, weight: number): void {
    const firstNgram = FIRST_NGRAM_COLUMN;
    const { present, presentCount, values } = this.features;
    const { styleWeights, ngramWeights, ngramScales } = this.model;
    const outputs = this.outputs;
    let sum = into[output]!;
    // The last column is the length, which belongs to the intercept.
    for (let i = 0; i < presentCount - 1; i++) {
      const value = weight * values[i]!;
      const ngram = present[i]! - firstNgram;
      if (ngram >= 0) sum += value * ngramScales[ngram]! * ngramWeights[ngram * outputs + output]!;
      else sum += value * styleWeights[(ngram + firstNgram - FIRST_STYLE_COLUMN) * outputs + output]!;
    }
    into[output] = sum;
  }

  /** Three neighbouring outputs at once, their sums in registers: twice as fast as a loop over the outputs of each column. */
  private addToThree(into: Float64Array, output: number, weight: number): void {
    const firstNgram = FIRST_NGRAM_COLUMN;
    const { present, presentCount, values } = this.features;
    const { styleWeights, ngramWeights, ngramScales } = this.model;
    const outputs = this.outputs;
    let first = into[output]!;
    let second = into[output + 1]!;
    let third = into[output + 2]!;
    for (let i = 0; i < presentCount - 1; i++) {
      const value = weight * values[i]!;
      const ngram = present[i]! - firstNgram;
      if (ngram >= 0) {
        const scaled = value * ngramScales[ngram]!;
        const row = ngram * outputs + output;
        first += scaled * ngramWeights[row]!;
        second += scaled * ngramWeights[row + 1]!;
        third += scaled * ngramWeights[row + 2]!;
      } else {
        const row = (ngram + firstNgram - FIRST_STYLE_COLUMN) * outputs + output;
        first += value * styleWeights[row]!;
        second += value * styleWeights[row + 1]!;
        third += value * styleWeights[row + 2]!;
      }
    }
    into[output] = first;
    into[output + 1] = second;
    into[output + 2] = third;
  }

  private addColumn(into: Float64Array, base: number, column: number, value: number): void {
    const { styleWeights, ngramWeights, ngramScales } = this.model;
    if (column < FIRST_NGRAM_COLUMN) {
      const row = (column - FIRST_STYLE_COLUMN) * this.outputs;
      for (let o = 0; o < this.outputs; o++) into[base + o] = into[base + o]! + value * styleWeights[row + o]!;
    } else {
      const row = (column - FIRST_NGRAM_COLUMN) * this.outputs;
      const scaled = value * ngramScales[column - FIRST_NGRAM_COLUMN]!;
      for (let o = 0; o < this.outputs; o++) into[base + o] = into[base + o]! + scaled * ngramWeights[row + o]!;
    }
  }
}
