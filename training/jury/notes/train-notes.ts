import { contentHash } from "../../../src/core/hash.ts";
import type { TrainedJuror } from "../../../src/jury/juror-file.ts";
import { areaUnderCurve } from "../../../src/stats/agreement/area-under-curve.ts";
import { quantile } from "../../../src/stats/distribution/quantile.ts";
import { wilsonInterval } from "../../../src/stats/distribution/wilson-interval.ts";
import type { FigureRow } from "../figures.ts";
import { measured } from "../measures.ts";
import { COVERAGE, characterRuns, storedWeights } from "../train-juror.ts";
import { editorsPredictingEachOther } from "./ceiling.ts";
import type { EditedDraft } from "./edited-sentences.ts";
import { fitSentences, type NotesSettings } from "./fit-notes.ts";
import { fitLogistic } from "./logistic.ts";
import { predictHeldBack } from "./predict-held-back.ts";
import { type LabelledSentence, sentenceMaterial } from "./sentence-material.ts";

/** Chosen by cross-validation over paragraph families; see the card. */
export const NOTES_SETTINGS: NotesSettings = { minimumTexts: 5, styleWeight: 0.2, penalty: 30, draftWeight: 1 };
const HELD_BACK = { folds: 5, seed: 1904 } as const;
/** A reason is offered for the sentences most like it: this part of all. */
const OFFERED = 0.1;
const MINIMUM_EXAMPLES = 100;

export interface ReasonFigures {
  readonly reason: string;
  readonly base: number;
  readonly precision: number;
  readonly interval: readonly [number, number];
  readonly recall: number;
  /** Whether it clearly beats the base rate, and so is shown. */
  readonly shown: boolean;
}

export interface NotesReport {
  readonly model: TrainedJuror;
  readonly figures: readonly FigureRow[];
  readonly reasons: readonly ReasonFigures[];
  readonly ceiling: { readonly pairs: readonly number[]; readonly mean: number; readonly drafts: number };
}

export function trainNotes(drafts: readonly EditedDraft[], say: (line: string) => void): NotesReport {
  const material = sentenceMaterial(drafts, NOTES_SETTINGS.minimumTexts);
  const { sentences } = material;
  say(`${sentences.length} sentences of ${drafts.length} edited drafts`);
  const changed = (sentence: LabelledSentence) => sentence.changed;
  const held = predictHeldBack(material, sentences, changed, NOTES_SETTINGS, HELD_BACK);
  say("changes held back");
  const logistic = fitLogistic(held, sentences.map(changed));

  const explained = sentences.filter(({ reasons }) => reasons !== null);
  const names = frequentReasons(explained);
  const measuredReasons = names.map((reason) => {
    const label = ({ reasons }: LabelledSentence) => reasons!.has(reason);
    const predictions = predictHeldBack(material, explained, label, NOTES_SETTINGS, HELD_BACK);
    say(`reason held back: ${reason}`);
    return {
      label,
      limit: quantile(predictions, 1 - OFFERED),
      ...figuresOf(reason, predictions, explained.map(label)),
    };
  });
  const shown = measuredReasons.filter((one) => one.shown);

  const { model, design } = fitSentences(material, sentences, changed, NOTES_SETTINGS);
  // The reasons are read from the same features, so that one pass over a sentence serves all.
  const reasonModels = shown.map(({ label }) => fitSentences(material, explained, label, NOTES_SETTINGS, design).model);
  const models = [model, ...reasonModels];
  return {
    model: {
      ...storedWeights(
        material.counted,
        design,
        models,
        models.map(() => 1),
      ),
      head: {
        outputs: ["change", ...shown.map(({ reason }) => reason)],
        intercepts: models.map(({ intercepts }) => intercepts[0]!),
        lengthWeights: models.map(({ weights }) => weights[0]!),
        window: 1,
        characterRuns: characterRuns(material.counted, design),
        coverage: COVERAGE,
        misses: [],
        notes: { ...logistic, reasonLimits: shown.map(({ limit }) => limit) },
        training: {
          texts: { drafts: drafts.length, sentences: sentences.length },
          penalty: NOTES_SETTINGS.penalty,
          dataHash: contentHash(drafts.map(({ text, changed: labels }) => [text, labels])),
        },
      },
    },
    figures: changeFigures(sentences, held),
    reasons: measuredReasons,
    ceiling: editorsPredictingEachOther(drafts),
  };
}

export function changeFigures(sentences: readonly LabelledSentence[], held: Float64Array): FigureRow[] {
  const judged = sentences.map(({ family, changed }, place) => ({ family, changed, score: held[place]! }));
  const topTenth = (items: typeof judged) => {
    const top = [...items].sort((left, right) => right.score - left.score).slice(0, Math.ceil(items.length / 10));
    return top.filter(({ changed }) => changed).length / top.length;
  };
  return [
    {
      name: "sentences changed, area under the curve, paragraph families held back",
      measured: measured(judged, (items) => {
        const labels = items.map(({ changed }) => changed);
        return (
          areaUnderCurve(
            labels,
            items.map(({ score }) => score),
          ).value ?? 0.5
        );
      }),
    },
    {
      name: "share changed of the tenth flagged first",
      measured: measured(judged, (items) => topTenth([...items])),
    },
    {
      name: "share changed of all sentences (base rate)",
      measured: measured(judged, (items) => items.filter(({ changed }) => changed).length / items.length),
    },
  ];
}

function figuresOf(reason: string, predictions: Float64Array, labels: readonly boolean[]): ReasonFigures {
  const limit = quantile(predictions, 1 - OFFERED);
  const offered = labels.filter((_, place) => predictions[place]! >= limit);
  const right = offered.filter(Boolean).length;
  const all = labels.filter(Boolean).length;
  const interval = wilsonInterval(right, offered.length, 0.95);
  const base = all / labels.length;
  return {
    reason,
    base,
    precision: right / offered.length,
    interval,
    recall: right / all,
    shown: interval[0] > base,
  };
}

function frequentReasons(sentences: readonly LabelledSentence[]): string[] {
  const counts = new Map<string, number>();
  for (const { reasons } of sentences) for (const reason of reasons!) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= MINIMUM_EXAMPLES)
    .map(([reason]) => reason)
    .sort();
}
