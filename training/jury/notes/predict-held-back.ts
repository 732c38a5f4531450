import { seededRandom } from "../../../src/core/random.ts";
import { predictRidge } from "../../../src/stats/linear/ridge-regression.ts";
import { dealFolds } from "../../grader/folds.ts";
import { textRows } from "../design.ts";
import { fitSentences, type NotesSettings } from "./fit-notes.ts";
import type { LabelledSentence, SentenceMaterial } from "./sentence-material.ts";

export interface Folds {
  readonly folds: number;
  readonly seed: number;
}

/** By sentence: what a model that never saw its paragraph, nor a version of it, says. */
export function predictHeldBack(
  material: SentenceMaterial,
  sentences: readonly LabelledSentence[],
  label: (sentence: LabelledSentence) => boolean,
  settings: NotesSettings,
  { folds: count, seed }: Folds,
): Float64Array {
  const folds = dealFolds(
    sentences.map(({ family }) => family),
    count,
    seededRandom(seed),
  );
  const predictions = new Float64Array(sentences.length);
  for (let fold = 0; fold < count; fold++) {
    const isTest = ({ family }: LabelledSentence) => folds.get(family) === fold;
    const training = sentences.filter((sentence) => !isTest(sentence));
    const places = [...sentences.keys()].filter((place) => isTest(sentences[place]!));
    const scores = predictSentences(
      material,
      training,
      places.map((place) => sentences[place]!),
      label,
      settings,
    );
    places.forEach((place, row) => {
      predictions[place] = scores[row]!;
    });
  }
  return predictions;
}

export function predictSentences(
  material: SentenceMaterial,
  training: readonly LabelledSentence[],
  test: readonly LabelledSentence[],
  label: (sentence: LabelledSentence) => boolean,
  settings: NotesSettings,
): Float64Array {
  const { model, design } = fitSentences(material, training, label, settings);
  return predictRidge(
    model,
    textRows(
      material.counted,
      design,
      test.map(({ row }) => row),
    ),
  );
}
