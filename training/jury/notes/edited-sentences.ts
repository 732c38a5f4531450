import { scanProse } from "../../../src/prose/scan-prose.ts";
import type { ExpertEdits, ExplainedEdits } from "../sources/expert-edits.ts";
import { applyEdits, spansOf } from "./apply-edits.ts";
import { changedSentences } from "./survival.ts";

/** A draft as one editor left it: which of its sentences were changed, and why where the editor said so. */
export interface EditedDraft {
  readonly text: string;
  readonly family: string;
  readonly editor: string | null;
  readonly changed: readonly boolean[];
  /** By sentence: the reasons of the edits that touch it; null where reasons were not given. */
  readonly reasons: readonly ReadonlySet<string>[] | null;
}

export function editedDrafts({ pairs, edits, familyOf }: ExpertEdits): EditedDraft[] {
  const explained = new Set(edits.map(({ text }) => text));
  return [
    ...pairs.flatMap(({ before, after }): EditedDraft[] =>
      explained.has(before)
        ? []
        : [
            {
              text: before,
              family: familyOf(before),
              editor: null,
              changed: changedSentences(before, after, sentencesOf(before)),
              reasons: null,
            },
          ],
    ),
    ...edits.map((one): EditedDraft => {
      const sentences = sentencesOf(one.text);
      return {
        text: one.text,
        family: familyOf(one.text),
        editor: one.editor ?? null,
        changed: changedSentences(one.text, applyEdits(one), sentences),
        reasons: reasonsOf(one, sentences),
      };
    }),
  ];
}

export function sentencesOf(text: string): { start: number; end: number }[] {
  const { starts, ends, sentenceCount } = scanProse(text);
  return Array.from({ length: sentenceCount }, (_, at) => ({ start: starts[at]!, end: ends[at]! }));
}

function reasonsOf(
  edited: ExplainedEdits,
  sentences: readonly { readonly start: number; readonly end: number }[],
): Set<string>[] {
  const spans = spansOf(edited);
  return sentences.map(
    ({ start, end }) => new Set(spans.filter((span) => span.start < end && span.end > start).map(({ why }) => why)),
  );
}
