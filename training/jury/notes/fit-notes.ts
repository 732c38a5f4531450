import { fitRidge, type RidgeModel } from "../../../src/stats/linear/ridge-regression.ts";
import { type Design, type DesignOptions, learnDesign, textRows } from "../design.ts";
import type { LabelledSentence, SentenceMaterial } from "./sentence-material.ts";

export interface NotesSettings extends DesignOptions {
  readonly penalty: number;
  /** How much the difference between one draft and another counts beside the difference between its sentences. */
  readonly draftWeight: number;
}

const TOLERANCE = 2e-3;

/** Learns one yes-or-no question about sentences. */
export function fitSentences(
  { counted }: SentenceMaterial,
  sentences: readonly LabelledSentence[],
  label: (sentence: LabelledSentence) => boolean,
  settings: NotesSettings,
  known?: Design,
): { readonly model: RidgeModel; readonly design: Design } {
  const design = known ?? learnDesign(counted, [...new Set(sentences.map(({ row }) => row))], settings);
  const numbers = new Map<number, number>();
  const model = fitRidge(
    textRows(
      counted,
      design,
      sentences.map(({ row }) => row),
    ),
    Float64Array.from(sentences, (sentence) => (label(sentence) ? 1 : 0)),
    1,
    {
      penalty: settings.penalty,
      groups: {
        of: Uint32Array.from(sentences, ({ draft }) => {
          if (!numbers.has(draft)) numbers.set(draft, numbers.size);
          return numbers.get(draft)!;
        }),
        betweenWeight: settings.draftWeight,
      },
      tolerance: TOLERANCE,
    },
  );
  return { model, design };
}
