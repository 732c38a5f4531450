import { escapeHtml, escapeMarkdown, htmlTable } from "../markup.ts";

/** A table before it is drawn as text, Markdown or HTML. */
export interface ReportTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note?: string;
}

export function markdownTable({ title, headings, rows, note }: ReportTable): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [
    `## ${escapeMarkdown(title)}`,
    "",
    line(headings),
    `|${headings.map(() => " --- |").join("")}`,
    ...rows.map(line),
    "",
    ...(note ? [escapeMarkdown(note), ""] : []),
  ];
}

export function htmlSection({ title, headings, rows, note }: ReportTable): string {
  return `<section>
<h2>${escapeHtml(title)}</h2>
${htmlTable(
  headings,
  rows.map((row) => row.map(escapeHtml)),
  { areNumbers: true },
)}
${note ? `<p class="range">${escapeHtml(note)}</p>` : ""}
</section>`;
}
