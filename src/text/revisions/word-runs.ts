import { diffArrays } from "diff";
import type { WordRun } from "./text-change.ts";

/** Beyond this many word edits a paragraph is another one, and a diff of it would be confetti. */
const MOST_EDITS = 2000;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** What was added and removed between two versions of a paragraph, word by word; Chinese words too. */
export function wordRuns(before: string, after: string): WordRun[] {
  const parts = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_EDITS });
  if (!parts) return [removed(before), added(after)];
  return readable(
    parts.map(({ value, added: isNew, removed: isGone }) => ({
      kind: isNew ? "added" : isGone ? "removed" : "same",
      text: value.join(""),
    })),
  );
}

export const added = (text: string): WordRun => ({ kind: "added", text });
export const removed = (text: string): WordRun => ({ kind: "removed", text });

function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** A space that stayed between two changed words belongs to the change: "red house" → "blue barn" is one change, not two. */
function readable(runs: readonly WordRun[]): WordRun[] {
  const result: WordRun[] = [];
  let gone = "";
  let come = "";
  /** Closes a change; white space that both versions end in stays outside of it. */
  const close = (): string => {
    const shared = /\s+$/.exec(gone)?.[0] ?? "";
    const isShared = shared !== "" && come.endsWith(shared);
    const cut = (text: string) => (isShared ? text.slice(0, -shared.length) : text);
    if (gone !== "") result.push(removed(cut(gone)));
    if (come !== "") result.push(added(cut(come)));
    gone = "";
    come = "";
    return isShared ? shared : "";
  };
  for (const [position, { kind, text }] of runs.entries()) {
    if (kind === "removed") gone += text;
    else if (kind === "added") come += text;
    else if (gone !== "" && come !== "" && text.trim() === "" && position < runs.length - 1) {
      gone += text;
      come += text;
    } else {
      const before = close();
      result.push({ kind, text: before + text });
    }
  }
  const end = close();
  return end === "" ? result : [...result, { kind: "same", text: end }];
}
