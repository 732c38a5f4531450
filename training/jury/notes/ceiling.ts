import { groupBy } from "../../../src/core/group-by.ts";
import { areaUnderCurve } from "../../../src/stats/agreement/area-under-curve.ts";
import type { EditedDraft } from "./edited-sentences.ts";

/**
 * How well professionals predict each other: on the drafts that several of them edited, one's changes as the score for
 * another's. No model of a single editor can be expected to do better for another.
 */
export function editorsPredictingEachOther(drafts: readonly EditedDraft[]) {
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
