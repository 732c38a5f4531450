import { FIRST_NGRAM_COLUMN, FIRST_STYLE_COLUMN, LENGTH_COLUMN } from "../../src/jury/window-features.ts";
import { STYLE_FEATURES } from "../../src/prose/style-features.ts";
import type { RidgeModel } from "../../src/stats/linear/ridge-regression.ts";

/** Splits fitted weights into the parts the file holds: style as it is, n-grams as eight bits times a scale of their own. */
export function quantise(model: RidgeModel) {
  const { outputs, weights, intercepts } = model;
  const columns = weights.length / outputs;
  const ngrams = columns - FIRST_NGRAM_COLUMN;
  const ngramWeights = new Int8Array(ngrams * outputs);
  const ngramScales = new Float32Array(ngrams);
  for (let ngram = 0; ngram < ngrams; ngram++) {
    const row = (FIRST_NGRAM_COLUMN + ngram) * outputs;
    let largest = 0;
    for (let o = 0; o < outputs; o++) largest = Math.max(largest, Math.abs(weights[row + o]!));
    const scale = Math.fround(largest / 127);
    ngramScales[ngram] = scale;
    if (scale === 0) continue;
    for (let o = 0; o < outputs; o++) {
      ngramWeights[ngram * outputs + o] = Math.max(-127, Math.min(127, Math.round(weights[row + o]! / scale)));
    }
  }
  const firstStyle = FIRST_STYLE_COLUMN * outputs;
  return {
    intercepts: [...intercepts],
    lengthWeights: [...weights.subarray(LENGTH_COLUMN * outputs, (LENGTH_COLUMN + 1) * outputs)],
    styleWeights: Float32Array.from(weights.subarray(firstStyle, firstStyle + STYLE_FEATURES.length * outputs)),
    ngramWeights,
    ngramScales,
  };
}
