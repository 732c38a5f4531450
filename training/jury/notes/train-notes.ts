import { groupBy } from "../../../src/core/group-by.ts";
import { contentHash } from "../../../src/core/hash.ts";
import type { TrainedJuror } from "../../../src/jury/juror-file.ts";
import { areaUnderCurve } from "../../../src/stats/agreement.ts";
import { quantile, wilsonInterval } from "../../../src/stats/distribution.ts";
import type { FigureRow } from "../figures.ts";
import { measured } from "../measures.ts";
import { COVERAGE, characterRuns, storedWeights } from "../train-juror.ts";
import type { EditedDraft } from "./edited-sentences.ts";
import {
  fitSentences,
  type LabelledSentence,
  type NotesSettings,
  predictHeldBack,
  sentenceMaterial,
} from "./predict-held-back.ts";

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

/** P(yes) = 1 / (1 + e^−(intercept + slope × score)), fitted by Newton's method (Platt, 1999). */
function fitLogistic(
  scores: Float64Array,
  labels: readonly boolean[],
): { readonly intercept: number; readonly slope: number } {
  let intercept = 0;
  let slope = 1;
  for (let step = 0; step < 50; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-9, 0, 1e-9];
    for (let at = 0; at < scores.length; at++) {
      const score = scores[at]!;
      const probability = 1 / (1 + Math.exp(-(intercept + slope * score)));
      const miss = (labels[at] ? 1 : 0) - probability;
      const weight = probability * (1 - probability);
      g0 += miss;
      g1 += miss * score;
      h00 += weight;
      h01 += weight * score;
      h11 += weight * score * score;
    }
    const determinant = h00 * h11 - h01 * h01;
    const [stepIntercept, stepSlope] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    intercept += stepIntercept;
    slope += stepSlope;
    if (Math.abs(stepIntercept) + Math.abs(stepSlope) < 1e-10) break;
  }
  return { intercept, slope };
}

/**
 * How well professionals predict each other: on the drafts that several of them edited, one's changes as the score for
 * another's. No model of a single editor can be expected to do better for another.
 */
function editorsPredictingEachOther(drafts: readonly EditedDraft[]) {
  const shared = [
    ...groupBy(
      drafts.filter(({ editor }) => editor !== null),
      ({ text }) => text,
    ).values(),
  ].filter((versions) => versions.length > 1);
  const editors = [...new Set(shared.flat().map(({ editor }) => editor!))].sort();
  const pairs = editors.flatMap((judge) =>
    editors
      .filter((other) => other !== judge)
      .map((other) => {
        const both = shared.flatMap((versions) => {
          const [left, right] = [judge, other].map((name) => versions.find(({ editor }) => editor === name));
          return left && right ? left.changed.map((changed, at) => ({ said: changed, did: right.changed[at]! })) : [];
        });
        const labels = both.map(({ did }) => did);
        return (
          areaUnderCurve(
            labels,
            both.map(({ said }) => (said ? 1 : 0)),
          ).value ?? 0.5
        );
      }),
  );
  return { pairs, mean: pairs.reduce((sum, one) => sum + one, 0) / Math.max(pairs.length, 1), drafts: shared.length };
}
