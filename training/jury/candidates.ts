import type { HeldOut, Material, Settings } from "./cross-validate.ts";
import { CROWD_SETTINGS } from "./crowd.ts";
import { EDITOR_SETTINGS } from "./editor.ts";
import type { Source } from "./lesson.ts";
import { judgedOf, pairsRight, pearsonOf, spearmanOf } from "./measures.ts";
import type { Candidate } from "./nested-selection.ts";

const varied = (base: Settings, name: string, change: Partial<Settings>): Candidate => ({
  name,
  settings: { ...base, ...change },
});

/** What was compared for the crowd: the penalty, the weight of style and of the graded chapters, and whether length counts. */
export const CROWD_CANDIDATES: readonly Candidate[] = [
  varied(CROWD_SETTINGS, "as shipped", {}),
  varied(CROWD_SETTINGS, "penalty 7", { penalty: 7 }),
  varied(CROWD_SETTINGS, "penalty 60", { penalty: 60 }),
  varied(CROWD_SETTINGS, "little style", { styleWeight: 0.05 }),
  varied(CROWD_SETTINGS, "much style", { styleWeight: 0.8 }),
  varied(CROWD_SETTINGS, "chapters in full", { sourceWeights: {} }),
  varied(CROWD_SETTINGS, "no length", { length: "window" }),
];

export const EDITOR_CANDIDATES: readonly Candidate[] = [
  varied(EDITOR_SETTINGS, "as shipped", {}),
  varied(EDITOR_SETTINGS, "penalty 0.3", { penalty: 0.3 }),
  varied(EDITOR_SETTINGS, "penalty 3", { penalty: 3 }),
  varied(EDITOR_SETTINGS, "penalty 10", { penalty: 10 }),
  varied(EDITOR_SETTINGS, "little style", { styleWeight: 0.05 }),
  varied(EDITOR_SETTINGS, "much style", { styleWeight: 0.8 }),
];

/** Agreement with people, from 0 to 1, alike for every source: Spearman with ratings, and twice the share of pairs above chance. */
export function crowdMerit(material: Material): (held: HeldOut) => number {
  const rated: readonly Source[] = ["prompt-stories", "scary-stories", "machine-stories"];
  return ({ whole }) =>
    mean([
      ...rated.map((source) => spearmanOf(judgedOf(material.lessons, whole, () => 0, source)).value),
      2 * pairsRight(material.lessons, whole, "reader-pairs").value - 1,
    ]);
}

export function editorMerit(material: Material): (held: HeldOut) => number {
  return ({ whole }) =>
    mean([
      pearsonOf(judgedOf(material.lessons, whole, () => 0, "expert-scores")).value,
      2 * pairsRight(material.lessons, whole, "expert-pairs").value - 1,
    ]);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
