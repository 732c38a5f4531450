import { seededRandom } from "../../../src/core/random.ts";
import { areaUnderCurve } from "../../../src/stats/agreement.ts";
import { dealFolds } from "../../grader/folds.ts";
import type { FigureRow } from "../figures.ts";
import type { Candidate, NestedOptions } from "../nested-selection.ts";
import type { EditedDraft } from "./edited-sentences.ts";
import {
  type LabelledSentence,
  type NotesSettings,
  predictHeldBack,
  predictSentences,
  sentenceMaterial,
} from "./predict-held-back.ts";
import { changeFigures, NOTES_SETTINGS } from "./train-notes.ts";

const varied = (name: string, change: Partial<NotesSettings>): Candidate<NotesSettings> => ({
  name,
  settings: { ...NOTES_SETTINGS, ...change },
});

export const NOTES_CANDIDATES: readonly Candidate<NotesSettings>[] = [
  varied("as shipped", {}),
  varied("penalty 100", { penalty: 100 }),
  varied("little style", { styleWeight: 0.05 }),
];

/** Line notes with their settings chosen inside the folds; see `nestedSelection`. */
export function nestedNotes(drafts: readonly EditedDraft[], { outer, inner, seed, say }: NestedOptions) {
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
