import { contentHash } from "../../src/core/hash.ts";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { FIRST_NGRAM_COLUMN, FIRST_STYLE_COLUMN, LENGTH_COLUMN } from "../../src/jury/window-features.ts";
import { STYLE_FEATURES } from "../../src/prose/style-features.ts";
import type { RidgeModel } from "../../src/stats/linear/ridge-regression.ts";
import { type Calibration, WINDOW } from "./calibrate.ts";
import type { CountedTexts } from "./counted-texts.ts";
import type { Material, Settings } from "./cross-validate.ts";
import { type Design, learnDesign, textRows } from "./design.ts";
import { fitLessons } from "./fit-lessons.ts";

export const COVERAGE = 0.9;

/** Fits the juror on all its lessons and puts its sums on its scale. */
export function trainJuror(material: Material, settings: Settings, calibration: Calibration): TrainedJuror {
  const { lessons, texts, counted } = material;
  const design = learnDesign(counted, [...new Set(texts)], settings);
  const model = fitLessons(lessons, textRows(counted, design, texts), settings);
  const { slope, centre, middle, misses } = calibration;
  const bySource = new Map<string, number>();
  for (const { source } of lessons) bySource.set(source, (bySource.get(source) ?? 0) + 1);
  return {
    ...storedWeights(counted, design, [model], [slope]),
    head: {
      outputs: ["overall"],
      intercepts: [centre + slope * (model.intercepts[0]! - middle)],
      lengthWeights: [0],
      storyLengthWeight: settings.length === "text" ? slope * model.weights[LENGTH_COLUMN]! : 0,
      window: WINDOW,
      characterRuns: characterRuns(counted, design),
      coverage: COVERAGE,
      misses,
      training: {
        texts: Object.fromEntries(bySource),
        penalty: settings.penalty,
        dataHash: contentHash(lessons.map(({ text, target, source }) => [text, target, source])),
      },
    },
  };
}

/** The weights of one or more models over the same features, n-grams of too few texts left out. */
export function storedWeights(
  counted: CountedTexts,
  { inverseFrequency, styleScales }: Design,
  models: readonly RidgeModel[],
  scales: readonly number[],
): Omit<TrainedJuror, "head"> {
  const kept = [...inverseFrequency.keys()].filter((ngram) => inverseFrequency[ngram]! > 0);
  const weightsOf = (columns: readonly number[]) =>
    columns.flatMap((column) => models.map(({ weights }, output) => scales[output]! * weights[column]!));
  return {
    hashes: Uint32Array.from(kept, (ngram) => counted.hashes[ngram]!),
    inverseFrequency: Float64Array.from(kept, (ngram) => inverseFrequency[ngram]!),
    weights: Float64Array.from(weightsOf(kept.map((ngram) => FIRST_NGRAM_COLUMN + ngram))),
    styleScales,
    styleWeights: Float32Array.from(weightsOf(STYLE_FEATURES.map((_, feature) => FIRST_STYLE_COLUMN + feature))),
  };
}

export function characterRuns(counted: CountedTexts, { inverseFrequency }: Design): number {
  return inverseFrequency.subarray(counted.wordColumns).filter((value) => value > 0).length;
}
