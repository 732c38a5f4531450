import type { DraftChanges, FigureChange } from "../judge/drafts/change-schema.ts";
import type { TextChange, WordRun } from "../text/revisions/text-change.ts";
import { figureInWords } from "./letter/figure-words.ts";
import { escapeHtml } from "./markup.ts";
import { countOf } from "./wording.ts";

const MOST_SHOWN = 40;

/** Jurors on their own scales, then the text: what was rewritten, added, removed and moved, both drafts side by side. */
export function draftTextSection({ jurors = [], text, lineNotes, figures = [] }: DraftChanges): string {
  return [jurorTable(jurors), text ? textPart(text, lineNotes ?? null) : "", figureTable(figures)]
    .filter(Boolean)
    .join("\n");
}

function jurorTable(jurors: NonNullable<DraftChanges["jurors"]>): string {
  if (jurors.length === 0) return "";
  const rows = jurors.map(({ id, speaker, scale, before, after, difference, beyondNoise }) => {
    const meaning =
      difference === null ? "cannot be compared" : beyondNoise ? "more than its error" : "no clear difference";
    return `<tr><th scope="row">${id} (${escapeHtml(speaker)}), of ${scale.maximum}</th>${cell(before)}${cell(after)}<td>${meaning}</td></tr>`;
  });
  return table(["juror", "before", "after", "meaning"], rows);
}

function textPart(
  { paragraphs, words, changes }: NonNullable<DraftChanges["text"]>,
  lineNotes: DraftChanges["lineNotes"] | null,
): string {
  const { rewritten, added, removed, moved, same } = paragraphs;
  const counted = `${countOf(rewritten, "paragraph")} rewritten, ${added} added, ${removed} removed, ${moved} moved, ${same} unchanged; ${countOf(words.added, "word")} added, ${words.removed} removed.`;
  const noted = lineNotes
    ? ` Sentences in these paragraphs that an editor would probably change: ${lineNotes.before.likely} of ${lineNotes.before.sentences} before, ${lineNotes.after.likely} of ${lineNotes.after.sentences} now.`
    : "";
  const shown = changes.slice(0, MOST_SHOWN);
  const rest = rewritten + added + removed + moved - shown.length;
  return `<h3>What changed in the text</h3>
<p>${counted}${noted}</p>
${shown.length === 0 ? "" : table(["change", "before", "after"], shown.map(changeRow))}
${rest > 0 ? `<p>And ${rest} more.</p>` : ""}`;
}

function changeRow({ kind, before, after, runs }: TextChange): string {
  const side = (place: TextChange["before"], without: WordRun["kind"]) =>
    place === null
      ? "<td></td>"
      : `<td><small>chapter ${place.chapter}</small><br>${runs
          .filter((run) => run.kind !== without)
          .map(runMarkup)
          .join("")}</td>`;
  return `<tr><th scope="row">${kind}</th>${side(before, "added")}${side(after, "removed")}</tr>`;
}

function runMarkup({ kind, text }: WordRun): string {
  const escaped = escapeHtml(text).replaceAll("\n", "<br>");
  if (kind === "added") return `<ins>${escaped}</ins>`;
  return kind === "removed" ? `<del>${escaped}</del>` : escaped;
}

function figureTable(figures: NonNullable<DraftChanges["figures"]>): string {
  const changed = figures.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return "";
  const rows = changed.map(
    ({ name, unit, before, after, reference }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th>${figureCell(before, unit)}${figureCell(after, unit)}<td class="number">${reference ? `${figureInWords(reference.low, unit)} to ${figureInWords(reference.high, unit)}` : "–"}</td></tr>`,
  );
  return `<h3>What changed in the map</h3>
${table(["figure", "before", "after", "middle 90 % of published novels"], rows)}`;
}

function figureCell(value: number | null, unit: FigureChange["unit"]): string {
  return `<td class="number">${value === null ? "–" : figureInWords(value, unit)}</td>`;
}

function table(names: readonly string[], rows: readonly string[]): string {
  const head = names.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function cell(value: number | null): string {
  return `<td class="number">${value === null ? "–" : value.toFixed(1)}</td>`;
}
