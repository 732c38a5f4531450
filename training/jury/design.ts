import { storedFrequency } from "../../src/jury/juror-file.ts";
import { storyLength } from "../../src/jury/prepare-text.ts";
import {
  FIRST_NGRAM_COLUMN,
  FIRST_STYLE_COLUMN,
  LENGTH_COLUMN,
  lengthFeature,
} from "../../src/jury/window-features.ts";
import { STYLE_FEATURES } from "../../src/prose/style-features.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";
import type { CountedTexts } from "./counted-texts.ts";

const STYLE = STYLE_FEATURES.length;

/** How features are scaled: learnt from the texts that are trained on, and never from those tested. */
export interface Design {
  /** By n-gram: ln((1 + texts) / (1 + texts with it)) + 1, or 0 where too few texts have it. */
  readonly inverseFrequency: Float64Array;
  readonly styleScales: Float32Array;
  /** The length that counts: of the whole text, as far as readers care, or of each window. */
  readonly length: "text" | "window";
}

export interface DesignOptions {
  /** An n-gram of fewer texts is left out. */
  readonly minimumTexts: number;
  /** How much all counts of style together weigh beside the n-grams. */
  readonly styleWeight: number;
  readonly length?: "text" | "window";
}

export function learnDesign(counted: CountedTexts, training: readonly number[], options: DesignOptions): Design {
  return {
    inverseFrequency: inverseFrequency(counted, training, options.minimumTexts),
    styleScales: styleScales(counted, training, options.styleWeight),
    length: options.length ?? "window",
  };
}

function inverseFrequency(counted: CountedTexts, training: readonly number[], minimumTexts: number): Float64Array {
  const texts = new Uint32Array(counted.hashes.length);
  const last = new Int32Array(counted.hashes.length).fill(-1);
  for (const text of training) {
    const to = counted.firstEntry[counted.firstWindow[text + 1]!]!;
    for (let entry = counted.firstEntry[counted.firstWindow[text]!]!; entry < to; entry++) {
      const column = counted.columns[entry]!;
      if (last[column] === text) continue;
      last[column] = text;
      texts[column] = texts[column]! + 1;
    }
  }
  return Float64Array.from(texts, (count) =>
    count < minimumTexts ? 0 : storedFrequency(Math.log((1 + training.length) / (1 + count)) + 1),
  );
}

/** Makes the spreads of the style features alike, and their squares together add up to `weight` on average. */
function styleScales(counted: CountedTexts, training: readonly number[], weight: number): Float32Array {
  const sums = new Float64Array(STYLE);
  const squares = new Float64Array(STYLE);
  let windows = 0;
  for (const text of training) {
    for (let window = counted.firstWindow[text]!; window < counted.firstWindow[text + 1]!; window++) {
      windows++;
      for (let feature = 0; feature < STYLE; feature++) {
        const rate = counted.style[window * STYLE + feature]!;
        sums[feature] = sums[feature]! + rate;
        squares[feature] = squares[feature]! + rate * rate;
      }
    }
  }
  return Float32Array.from(sums, (sum, feature) => {
    const variance = squares[feature]! / windows - (sum / windows) ** 2;
    return variance > 1e-8 ? Math.sqrt(weight / STYLE / variance) : 0;
  });
}

/**
 * One row per text: the mean, by words, of its windows. Exactly what the juror sees of a text it is given, column by
 * column as in {@link FIRST_NGRAM_COLUMN}.
 */
export function textRows(counted: CountedTexts, design: Design, texts: readonly number[]): SparseRows {
  const columns = FIRST_NGRAM_COLUMN + counted.hashes.length;
  const frequency = design.inverseFrequency;
  const sums = new Float64Array(columns);
  const touched = new Uint32Array(columns);
  const offsets = new Uint32Array(texts.length + 1);
  const capacity = texts.reduce(
    (sum, text) =>
      sum +
      FIRST_NGRAM_COLUMN +
      counted.firstEntry[counted.firstWindow[text + 1]!]! -
      counted.firstEntry[counted.firstWindow[text]!]!,
    0,
  );
  const indices = new Uint32Array(capacity);
  const values = new Float32Array(capacity);
  let cursor = 0;
  let present = 0;
  const add = (column: number, value: number): void => {
    if (value === 0) return;
    if (sums[column] === 0) touched[present++] = column;
    sums[column] = sums[column]! + value;
  };
  texts.forEach((text, row) => {
    present = 0;
    let words = 0;
    for (let window = counted.firstWindow[text]!; window < counted.firstWindow[text + 1]!; window++) {
      const [from, to] = [counted.firstEntry[window]!, counted.firstEntry[window + 1]!];
      const own = counted.windowWords[window]!;
      words += own;
      if (design.length === "window") add(LENGTH_COLUMN, own * lengthFeature(own));
      for (let feature = 0; feature < STYLE; feature++) {
        add(
          FIRST_STYLE_COLUMN + feature,
          own * counted.style[window * STYLE + feature]! * design.styleScales[feature]!,
        );
      }
      let wordSquares = 0;
      let runSquares = 0;
      for (let entry = from; entry < to; entry++) {
        const column = counted.columns[entry]!;
        const square = (counted.values[entry]! * frequency[column]!) ** 2;
        if (column < counted.wordColumns) wordSquares += square;
        else runSquares += square;
      }
      const wordScale = wordSquares > 0 ? own / Math.sqrt(wordSquares) : 0;
      const runScale = runSquares > 0 ? own / Math.sqrt(runSquares) : 0;
      for (let entry = from; entry < to; entry++) {
        const column = counted.columns[entry]!;
        const scale = column < counted.wordColumns ? wordScale : runScale;
        add(FIRST_NGRAM_COLUMN + column, scale * counted.values[entry]! * frequency[column]!);
      }
    }
    if (design.length === "text") add(LENGTH_COLUMN, words * storyLength(words));
    for (let i = 0; i < present; i++) {
      const column = touched[i]!;
      indices[cursor] = column;
      values[cursor++] = sums[column]! / words;
      sums[column] = 0;
    }
    offsets[row + 1] = cursor;
  });
  return { rows: texts.length, columns, offsets, indices: indices.slice(0, cursor), values: values.slice(0, cursor) };
}
