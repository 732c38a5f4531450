import type { BookEvaluation } from "../judge/evaluation.ts";
import type { TextChange, WordRun } from "../text/revisions/text-change.ts";

const MOST_SHOWN = 5;
const LONGEST = 120;
/** What stands before the first words that differ, so that they are in sight. */
const LEAD = 40;

/** What changed since an earlier draft, for reports of plain text: sentences, then the first paragraphs that differ. */
export function draftLines({ changes }: BookEvaluation): { readonly said: string[]; readonly shown: string[] } | null {
  if (!changes?.words) return null;
  const all = changes.text?.changes ?? [];
  const more =
    all.length > MOST_SHOWN ? [`and ${all.length - MOST_SHOWN} more; an HTML report shows them side by side`] : [];
  return { said: [...changes.words], shown: [...all.slice(0, MOST_SHOWN).map(changeInWords), ...more] };
}

function changeInWords({ kind, before, after, runs }: TextChange): string {
  const chapter = `chapter ${(after ?? before)!.chapter}`;
  switch (kind) {
    case "added":
      return `${chapter}, added: ${side(runs, "removed")}`;
    case "removed":
      return `${chapter}, removed: ${side(runs, "added")}`;
    case "moved":
      return `${chapter}, moved from chapter ${before!.chapter}: ${side(runs, "removed")}`;
    case "rewritten":
      return `${chapter}, rewritten: ${side(runs, "added")} → ${side(runs, "removed")}`;
    default:
      return kind satisfies never;
  }
}

/** One draft's words, from shortly before the first that differ. */
function side(runs: readonly WordRun[], without: "added" | "removed"): string {
  const own = runs.filter(({ kind }) => kind !== without);
  const [first] = runs;
  const isLate = first?.kind === "same" && runs.length > 1 && first.text.length > LEAD;
  const from = isLate ? first.text.indexOf(" ", first.text.length - LEAD) + 1 : 0;
  const text = own
    .map((run) => run.text)
    .join("")
    .slice(from)
    .replace(/\s+/g, " ")
    .trim();
  const cut = text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\s\S*$/, "")}…`;
  return from > 0 ? `…${cut}` : cut;
}
