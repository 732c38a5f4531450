import { type CountedTexts, countTexts } from "../counted-texts.ts";
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
