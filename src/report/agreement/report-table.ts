import { escapeHtml, escapeMarkdown, htmlPage, htmlTable } from "../markup.ts";

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

/** A report made of sentences and tables, as a Markdown file. */
export function markdownDocument(title: string, notes: readonly string[], tables: readonly ReportTable[]): string {
  return [
    `# ${title}`,
    "",
    ...notes.flatMap((note) => [escapeMarkdown(note), ""]),
    ...tables.flatMap(markdownTable),
  ].join("\n");
}

/** The same as a web page. */
export function htmlDocument(title: string, notes: readonly string[], tables: readonly ReportTable[]): string {
  const said = notes.map((note) => `<p>${escapeHtml(note)}</p>`).join("\n");
  return htmlPage(title, `<h1>${escapeHtml(title)}</h1>\n${said}\n${tables.map(htmlSection).join("\n")}`);
}
