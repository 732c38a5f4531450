import { seededRandom } from "../../src/core/random.ts";
import { areaUnderCurve } from "../../src/stats/agreement.ts";
import { dealFolds } from "../grader/folds.ts";
import { prepareMaterial } from "./calibrate.ts";
import type { HeldOut, Material, Settings } from "./cross-validate.ts";
import { CROWD_SETTINGS, loadCrowdLessons } from "./crowd.ts";
import { EDITOR_SETTINGS, loadEditorData } from "./editor.ts";
import { agreementRows, type FigureRow } from "./figures.ts";
import type { Source } from "./fit-lessons.ts";
import { judgedOf, pairsRight, partialSpearmanOf, pearsonOf, spearmanOf } from "./measures.ts";
import { type Candidate, type NestedOptions, nestedSelection } from "./nested-selection.ts";
import { type EditedDraft, editedDrafts } from "./notes/edited-sentences.ts";
import {
  type LabelledSentence,
  type NotesSettings,
  predictHeldBack,
  predictSentences,
  sentenceMaterial,
} from "./notes/predict-held-back.ts";
import { changeFigures, NOTES_SETTINGS } from "./notes/train-notes.ts";
import { expertLessons } from "./sources/expert-edits.ts";

const varied = (base: Settings, name: string, change: Partial<Settings>): Candidate => ({
  name,
  settings: { ...base, ...change },
});

/** What is left of earlier comparisons (evals/jury.md): how much style weighs beside words. */
const CROWD_CANDIDATES: readonly Candidate[] = [
  varied(CROWD_SETTINGS, "as shipped", {}),
  varied(CROWD_SETTINGS, "more style", { styleWeight: 0.2 }),
];

const EDITOR_CANDIDATES: readonly Candidate[] = [
  varied(EDITOR_SETTINGS, "as shipped", {}),
  varied(EDITOR_SETTINGS, "more style", { styleWeight: 0.2 }),
];

/**
 * Agreement with people, from 0 to 1, alike for every source: Spearman with ratings, half of it with length held constant,
 * and twice the share of pairs above chance.
 */
function crowdMerit({ lessons, texts, counted }: Material): (held: HeldOut) => number {
  const rated: readonly Source[] = ["prompt-stories", "scary-stories", "machine-stories"];
  const wordsOf = (place: number) => counted.words[texts[place]!]!;
  return ({ whole }) =>
    mean([
      ...rated.map((source) => {
        const judged = judgedOf(lessons, [whole], wordsOf, source);
        return mean([spearmanOf(judged).value, partialSpearmanOf(judged).value]);
      }),
      2 * pairsRight(lessons, [whole], "reader-pairs").value - 1,
    ]);
}

function editorMerit(material: Material): (held: HeldOut) => number {
  return ({ whole }) =>
    mean([
      pearsonOf(judgedOf(material.lessons, [whole], () => 0, "expert-scores")).value,
      2 * pairsRight(material.lessons, [whole], "expert-pairs").value - 1,
    ]);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How settings are chosen and measured unless a command says otherwise. */
export const NESTED = { outer: 5, inner: 3, deals: 3, seed: 1905 } as const;

export interface Selected {
  readonly figures: readonly FigureRow[];
  readonly chosen: readonly string[];
  readonly final: string;
  readonly candidates: readonly string[];
}

/** Settings chosen inside the folds, by what they are for. */
export const SELECTIONS: Readonly<Record<string, (data: string, options: NestedOptions) => Promise<Selected>>> = {
  crowd: async (data, options) => {
    const material = prepareMaterial(await loadCrowdLessons(data), CROWD_SETTINGS.minimumTexts);
    const result = nestedSelection(material, CROWD_CANDIDATES, crowdMerit(material), options);
    const sources: readonly Source[] = ["prompt-stories", "scary-stories", "machine-stories", "reader-pairs"];
    const figures = sources.flatMap((source) => agreementRows(material, result.held, source, "nested"));
    return { ...result, figures, candidates: CROWD_CANDIDATES.map(({ name }) => name) };
  },
  editor: async (data, options) => {
    const material = prepareMaterial(expertLessons(await loadEditorData(data)), EDITOR_SETTINGS.minimumTexts);
    const result = nestedSelection(material, EDITOR_CANDIDATES, editorMerit(material), {
      ...options,
      // Ten times as many texts: another deal moves nothing.
      deals: 1,
    });
    const sources: readonly Source[] = ["expert-scores", "expert-pairs"];
    const figures = sources.flatMap((source) => agreementRows(material, result.held, source, "nested"));
    return { ...result, figures, candidates: EDITOR_CANDIDATES.map(({ name }) => name) };
  },
  notes: async (data, options) => ({
    ...nestedNotes(editedDrafts(await loadEditorData(data)), options),
    candidates: NOTES_CANDIDATES.map(({ name }) => name),
  }),
};

const variedNotes = (name: string, change: Partial<NotesSettings>): Candidate<NotesSettings> => ({
  name,
  settings: { ...NOTES_SETTINGS, ...change },
});

const NOTES_CANDIDATES: readonly Candidate<NotesSettings>[] = [
  variedNotes("as shipped", {}),
  variedNotes("penalty 100", { penalty: 100 }),
  variedNotes("little style", { styleWeight: 0.05 }),
];

/** Line notes with their settings chosen inside the folds; see `nestedSelection`. */
function nestedNotes(drafts: readonly EditedDraft[], { outer, inner, seed, say }: NestedOptions) {
  const material = sentenceMaterial(drafts, NOTES_SETTINGS.minimumTexts);
  const { sentences } = material;
  const changed = (sentence: LabelledSentence) => sentence.changed;
  const choose = (own: readonly LabelledSentence[], name: string) => {
    const merits = NOTES_CANDIDATES.map(({ settings }) => {
      const held = predictHeldBack(material, own, changed, settings, { folds: inner, seed: seed + 7 });
      return areaUnderCurve(own.map(changed), [...held]).value ?? 0.5;
    });
    const best = NOTES_CANDIDATES[merits.indexOf(Math.max(...merits))]!;
    say(
      `${name}: ${NOTES_CANDIDATES.map((one, at) => `${one.name} ${merits[at]!.toFixed(3)}`).join("; ")} → ${best.name}`,
    );
    return best;
  };
  const folds = dealFolds(
    sentences.map(({ family }) => family),
    outer,
    seededRandom(seed),
  );
  const held = new Float64Array(sentences.length);
  const chosen: string[] = [];
  for (let fold = 0; fold < outer; fold++) {
    const isTest = ({ family }: LabelledSentence) => folds.get(family) === fold;
    const training = sentences.filter((sentence) => !isTest(sentence));
    const places = [...sentences.keys()].filter((place) => isTest(sentences[place]!));
    const best = choose(training, `fold ${fold + 1} of ${outer}`);
    const test = places.map((place) => sentences[place]!);
    const scores = predictSentences(material, training, test, changed, best.settings);
    places.forEach((place, row) => {
      held[place] = scores[row]!;
    });
    chosen.push(best.name);
  }
  const figures: readonly FigureRow[] = changeFigures(sentences, held);
  return { figures, chosen, final: choose(sentences, "all sentences").name };
}
