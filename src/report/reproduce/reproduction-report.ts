import { htmlTable, markdownTable, type ReportTable } from "../agreement/report-table.ts";
import { htmlPage } from "../html-page.ts";
import { escapeHtml, escapeMarkdown } from "../markup.ts";

/** What a report of reproduced figures shows. */
export interface ReproductionView {
  readonly paper: string;
  readonly figures: readonly {
    readonly place: string;
    readonly name: string;
    readonly value: number | null;
    readonly interval: readonly [number, number] | null;
    readonly n: number;
    readonly printed: number | null;
    readonly rule?: string;
  }[];
  readonly differences: readonly string[];
}

export function reproductionTable({ paper, figures }: ReproductionView): ReportTable {
  const hasRules = figures.some(({ rule }) => rule !== undefined);
  return {
    title: paper,
    headings: ["place", "figure", ...(hasRules ? ["rule"] : []), "here", "95 % interval", "n", "printed", "difference"],
    rows: figures.map(({ place, name, value, interval, n, printed, rule }) => [
      place,
      name,
      ...(hasRules ? [rule ?? "–"] : []),
      inFigures(value),
      interval === null ? "–" : `${inFigures(interval[0])} to ${inFigures(interval[1])}`,
      n.toLocaleString("en-GB"),
      inFigures(printed),
      value === null || printed === null ? "–" : signed(value - printed),
    ]),
    note: "A dash: the paper prints no number there, or none could be computed.",
  };
}

export function reproductionMarkdown(view: ReproductionView): string {
  return [
    ...markdownTable(reproductionTable(view)),
    "",
    "## What differs, and why",
    "",
    ...view.differences.map((difference) => `- ${escapeMarkdown(difference)}`),
    "",
  ].join("\n");
}

export function reproductionHtml(view: ReproductionView): string {
  return htmlPage(
    view.paper,
    `<h1>${escapeHtml(view.paper)}</h1>
${htmlTable(reproductionTable(view))}
<h2>What differs, and why</h2>
<ul>${view.differences.map((difference) => `<li>${escapeHtml(difference)}</li>`).join("")}</ul>`,
  );
}

/** Four digits below ten, whole numbers as they are. */
function inFigures(value: number | null): string {
  if (value === null) return "–";
  const text = Number.isInteger(value) ? value.toLocaleString("en-GB") : value.toFixed(Math.abs(value) < 10 ? 4 : 1);
  // A difference that rounds to nothing has no sign.
  return /^-[0.]+$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

function signed(value: number): string {
  const text = inFigures(value);
  return /[1-9]/.test(text) && value > 0 ? `+${text}` : text;
}
