import { scaleLinear } from "d3-scale";
import { countOf, signedNumber } from "../core/wording.ts";
import type { Change, DraftChanges, FigureChange } from "../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { TextChange, WordRun } from "../text/revisions.ts";
import { htmlFigure } from "./html-page.ts";
import { figureInWords } from "./letter/figure-words.ts";
import { escapeHtml, svg } from "./markup.ts";
import { dotRows } from "./plots/interval-dots.ts";

const MOST_SHOWN = 40;

/** Jurors on their own scales, then the text: what was rewritten, added, removed and moved, both drafts side by side. */
function draftTextSection({ jurors = [], text, lineNotes, figures = [] }: DraftChanges): string {
  return [jurorTable(jurors), text ? textPart(text, lineNotes ?? null) : "", figureTable(figures)]
    .filter(Boolean)
    .join("\n");
}

function jurorTable(jurors: NonNullable<DraftChanges["jurors"]>): string {
  if (jurors.length === 0) return "";
  const rows = jurors.map(({ id, speaker, scale, before, after, difference, beyondNoise }) => {
    const meaning =
      difference === null
        ? "cannot be compared"
        : beyondNoise
          ? `${difference > 0 ? "better" : "worse"}, more than its error`
          : "cannot be told";
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

/** In sentences, before the letter: who names an earlier draft asks for this first. */
export function draftSummary({ changes }: BookEvaluation): string {
  if (!changes?.words) return "";
  return `<section>
<h2>Since the earlier draft</h2>
<ul>${changes.words.map((sentence) => `<li>${escapeHtml(sentence)}</li>`).join("")}</ul>
<p><a href="#draft">What changed, passage by passage</a></p>
</section>`;
}

/** What changed since an earlier draft: the whole and its aspects, then the parts that were rewritten. */
export function draftSection({ changes, aspects }: BookEvaluation): string {
  if (!changes) return "";
  const nameOf = (id: string) => aspects.find((aspect) => aspect.id === id)?.name ?? id;
  const whole = [
    dotOf("Overall", changes.overall),
    ...Object.entries(changes.aspects).map(([id, change]) => dotOf(nameOf(id), change)),
  ].filter((dot) => dot !== null);
  const parts = changes.segments.map(({ title, overall }) => dotOf(title, overall)).filter((dot) => dot !== null);
  const unscored = changes.segments.filter(({ overall }) => overall.difference === null);
  const figures = [
    whole.length > 0
      ? htmlFigure(
          changeDots(whole, "Changes in the book"),
          "The change of each score in points; the band is where it likely lies. A band across zero: better or worse cannot be told.",
        )
      : "",
    parts.length > 0
      ? htmlFigure(changeDots(parts, "Changes in its parts"), "The parts that were rewritten, overall.")
      : "",
  ];
  const named =
    unscored.length === 0 ? "" : `<p>Rewritten: ${escapeHtml(unscored.map(({ title }) => title).join("; "))}.</p>`;
  return `<section id="draft">
<h2>${changes.words ? "The two drafts" : "Since the earlier draft"}</h2>
<p>${escapeHtml(`Compared with ${changes.run}: ${countOf(changes.segments.length, "part")} changed or new, ${changes.unchanged} unchanged, ${changes.removed} removed.`)}</p>
${isWithoutSpread(changes) ? "<p>A difference cannot be told from chance here, because no part was judged twice: judge the earlier draft again with <code>--runs 3</code>, then compare.</p>" : ""}
${figures.filter(Boolean).join("\n")}
${named}
${draftTextSection(changes)}
</section>`;
}

function isWithoutSpread({ overall, segments }: DraftChanges): boolean {
  return segments.length > 0 && overall.difference !== null && overall.interval === null;
}

/** A difference without a band would be read as one that counts, so it is not drawn. */
function dotOf(label: string, { difference, interval, beyondNoise }: Change): ChangeDot | null {
  return difference === null || interval === null ? null : { label, difference, interval, beyondNoise };
}

interface ChangeDot {
  readonly label: string;
  readonly difference: number;
  /** Where the difference may lie; null when there are too few runs to say. */
  readonly interval: readonly [number, number] | null;
  readonly beyondNoise: boolean;
}

/** One line per change: the dot is the difference, the band what noise may make of it, the dashed line no change. */
function changeDots(dots: readonly ChangeDot[], caption: string): string {
  const reach = Math.max(
    0.5,
    ...dots.flatMap(({ difference, interval }) => [difference, ...(interval ?? [])].map(Math.abs)),
  );
  const rows = dots.map(({ label, difference, interval, beyondNoise }) => ({
    label,
    value: difference,
    note: `${signedNumber(difference, 1)}${beyondNoise ? ", more than noise" : ""}`,
    interval: (x: (value: number) => number, y: number) =>
      interval
        ? [
            svg("rect", {
              x: x(interval[0]),
              width: x(interval[1]) - x(interval[0]),
              y: y - 7,
              height: 14,
              class: "band",
            }),
          ]
        : [],
  }));
  return dotRows(rows, {
    caption,
    rowHeight: 24,
    noteWidth: 150,
    scale: (range) => scaleLinear([-reach, reach], range).nice(),
    tick: (value) => ({ text: signedNumber(value, 1), class: value === 0 ? "level" : "grid" }),
  });
}
