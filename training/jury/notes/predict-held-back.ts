import { seededRandom } from "../../../src/core/random.ts";
import { fitRidge, predictRidge, type RidgeModel } from "../../../src/stats/linear/ridge-regression.ts";
import { dealFolds } from "../../grader/folds.ts";
import { type CountedTexts, countTexts } from "../counted-texts.ts";
import { type Design, type DesignOptions, learnDesign, textRows } from "../design.ts";
import type { EditedDraft } from "./edited-sentences.ts";

/** Sentences as rows: those of every distinct draft once, and for each editor's version of it the labels. */
export interface SentenceMaterial {
  readonly counted: CountedTexts;
  readonly sentences: readonly LabelledSentence[];
}

export interface LabelledSentence {
  /** The number of the sentence among the counted ones. */
  readonly row: number;
  /** The number of the edited draft it stands in. */
  readonly draft: number;
  readonly family: string;
  readonly editor: string | null;
  readonly changed: boolean;
  readonly reasons: ReadonlySet<string> | null;
}

export function sentenceMaterial(drafts: readonly EditedDraft[], minimumTexts: number): SentenceMaterial {
  const texts = [...new Set(drafts.map(({ text }) => text))];
  const counted = countTexts(texts, { window: 1, minimumTexts, bySentence: true });
  const sentenceCounts = new Map(drafts.map(({ text, changed }) => [text, changed.length]));
  const firstRow = new Map<string, number>();
  let rows = 0;
  for (const text of texts) {
    firstRow.set(text, rows);
    rows += sentenceCounts.get(text)!;
  }
  return {
    counted,
    sentences: drafts.flatMap(({ text, family, editor, changed, reasons }, draft) =>
      changed.map((isChanged, at) => ({
        row: firstRow.get(text)! + at,
        draft,
        family,
        editor,
        changed: isChanged,
        reasons: reasons?.[at] ?? null,
      })),
    ),
  };
}

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
