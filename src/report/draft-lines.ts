import type { BookEvaluation } from "../judge/evaluation.ts";
import type { TextChange } from "../text/revisions/text-change.ts";

const MOST_SHOWN = 5;
const LONGEST = 120;

/** What changed since an earlier draft, for reports of plain text: sentences, then the first paragraphs that differ. */
export function draftLines({ changes }: BookEvaluation): { readonly said: string[]; readonly shown: string[] } | null {
  if (!changes?.words) return null;
  const all = changes.text?.changes ?? [];
  const more =
    all.length > MOST_SHOWN ? [`and ${all.length - MOST_SHOWN} more; an HTML report shows them side by side`] : [];
  return { said: [...changes.words], shown: [...all.slice(0, MOST_SHOWN).map(changeInWords), ...more] };
}

function changeInWords({ kind, before, after, runs }: TextChange): string {
  const side = (without: "added" | "removed") =>
    excerpt(
      runs
        .filter((run) => run.kind !== without)
        .map(({ text }) => text)
        .join(""),
    );
  const chapter = `chapter ${(after ?? before)!.chapter}`;
  switch (kind) {
    case "added":
      return `${chapter}, added: ${side("removed")}`;
    case "removed":
      return `${chapter}, removed: ${side("added")}`;
    case "moved":
      return `${chapter}, moved from chapter ${before!.chapter}: ${side("removed")}`;
    case "rewritten":
      return `${chapter}, rewritten: ${side("added")} → ${side("removed")}`;
    default:
      return kind satisfies never;
  }
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/\s\S*$/, "")}…`;
}
