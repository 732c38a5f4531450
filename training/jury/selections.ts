import { CROWD_CANDIDATES, crowdMerit, EDITOR_CANDIDATES, editorMerit } from "./candidates.ts";
import { CROWD_SETTINGS, loadCrowdLessons } from "./crowd.ts";
import { EDITOR_SETTINGS, loadEditorData } from "./editor.ts";
import { agreementRows, type FigureRow } from "./figures.ts";
import type { Source } from "./lesson.ts";
import { prepareMaterial } from "./material.ts";
import { type NestedOptions, nestedSelection } from "./nested-selection.ts";
import { editedDrafts } from "./notes/edited-sentences.ts";
import { NOTES_CANDIDATES, nestedNotes } from "./notes/nested-notes.ts";
import { expertLessons } from "./sources/expert-edits.ts";

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
