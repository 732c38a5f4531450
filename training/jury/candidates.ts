import type { HeldOut, Material, Settings } from "./cross-validate.ts";
import { CROWD_SETTINGS } from "./crowd.ts";
import { EDITOR_SETTINGS } from "./editor.ts";
import type { Source } from "./lesson.ts";
import { judgedOf, pairsRight, partialSpearmanOf, pearsonOf, spearmanOf } from "./measures.ts";
import type { Candidate } from "./nested-selection.ts";

const varied = (base: Settings, name: string, change: Partial<Settings>): Candidate => ({
  name,
  settings: { ...base, ...change },
});

/** What is left of earlier comparisons (docs/decisions/140): how much style weighs beside words. */
export const CROWD_CANDIDATES: readonly Candidate[] = [
  varied(CROWD_SETTINGS, "as shipped", {}),
  varied(CROWD_SETTINGS, "more style", { styleWeight: 0.2 }),
];

export const EDITOR_CANDIDATES: readonly Candidate[] = [
  varied(EDITOR_SETTINGS, "as shipped", {}),
  varied(EDITOR_SETTINGS, "more style", { styleWeight: 0.2 }),
];

/**
 * Agreement with people, from 0 to 1, alike for every source: Spearman with ratings, half of it with length held constant,
 * and twice the share of pairs above chance.
 */
export function crowdMerit({ lessons, texts, counted }: Material): (held: HeldOut) => number {
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

export function editorMerit(material: Material): (held: HeldOut) => number {
  return ({ whole }) =>
    mean([
      pearsonOf(judgedOf(material.lessons, [whole], () => 0, "expert-scores")).value,
      2 * pairsRight(material.lessons, [whole], "expert-pairs").value - 1,
    ]);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
