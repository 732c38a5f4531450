import { escapeHtml, escapeMarkdown } from "../markup.ts";

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

export function htmlTable({ title, headings, rows, note }: ReportTable): string {
  const cell = (text: string, index: number) =>
    index === 0 ? `<th scope="row">${escapeHtml(text)}</th>` : `<td class="number">${escapeHtml(text)}</td>`;
  return `<section>
<h2>${escapeHtml(title)}</h2>
<table>
<thead><tr>${headings.map((heading) => `<th>${escapeHtml(heading)}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("\n")}
</tbody>
</table>
${note ? `<p class="range">${escapeHtml(note)}</p>` : ""}
</section>`;
}
