import { scanProse } from "../../../src/prose/scan-prose.ts";
import { applyEdits, type ExpertEdits, type ExplainedEdits, spansOf } from "../sources/expert-edits.ts";

/** A sentence counts as changed when less than this part of its words is left. */
export const SURVIVING = 0.8;

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

/** Which words of `before` are left in `after`: those on a longest common subsequence of the two. */
export function survivingWords(before: string, after: string): { start: number; end: number; survives: boolean }[] {
  const old = [...before.matchAll(WORD)];
  const left = old.map(([word]) => word.toLowerCase());
  const right = [...after.matchAll(WORD)].map(([word]) => word.toLowerCase());
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const survives = new Array<boolean>(left.length).fill(false);
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      survives[i] = true;
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return old.map((match, place) => ({
    start: match.index,
    end: match.index + match[0].length,
    survives: survives[place]!,
  }));
}

/** By sentence of `before`: whether an editor changed it on the way to `after`. */
export function changedSentences(
  before: string,
  after: string,
  sentences: readonly { readonly start: number; readonly end: number }[],
): boolean[] {
  const words = survivingWords(before, after);
  return sentences.map(({ start, end }) => {
    const own = words.filter((word) => word.start >= start && word.end <= end);
    return own.filter(({ survives }) => survives).length < SURVIVING * own.length;
  });
}

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
