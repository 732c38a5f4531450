import { pathToFileURL } from "node:url";
import type {
  QuotationView,
  ReportCell,
  ReportFile,
  ReportPart,
  ReportPlot,
  ReportSection,
  ReportTable,
  SectionedReport,
  TitledTable,
} from "../api/evaluations.ts";
import { builtPath } from "../core/assets.ts";
import { escapeMarkdown, plainLine } from "./markup.ts";
import { inMarks } from "./wording.ts";

export function tableSection({ title, ...table }: TitledTable): ReportSection {
  return { heading: title, parts: [{ kind: "table", ...table }] };
}

/** Sentences under a heading, or before the first heading. */
export function textSection(heading: string | null, sentences: readonly string[]): ReportSection {
  return { heading, parts: sentences.map((text) => ({ kind: "text", text })) };
}

/** The section; none if there is nothing to list. */
export function listSection(heading: string, entries: readonly string[]): ReportSection[] {
  return entries.length === 0 ? [] : [{ heading, parts: [{ kind: "list", entries }] }];
}

/** A part that readers open in the HTML form, and that the other forms leave out. */
export function folded(summary: string, part: ReportPart): ReportPart {
  return { kind: "folded", summary, parts: [part] };
}

/** For a terminal. As in Markdown, plots and the folded parts of the HTML form are left out. */
export function reportText({ sections }: Pick<SectionedReport, "sections">): string {
  return sections
    .flatMap(({ heading, parts }) => {
      const lines = parts.flatMap(partText);
      return lines.length === 0 ? [] : [[...(heading === null ? [] : [plainLine(heading)]), ...lines].join("\n")];
    })
    .join("\n\n");
}

function partText(part: ReportPart): string[] {
  switch (part.kind) {
    case "heading":
    case "text":
      return [plainLine(part.text)];
    case "list":
      return part.entries.map((entry) => `  ${plainLine(entry)}`);
    case "table": {
      const table = textTable(
        part.headings.map(plainLine),
        part.rows.map((row) => texts(row).map(plainLine)),
      );
      return part.note ? [table, plainLine(part.note)] : [table];
    }
    case "quotes":
    case "folded":
    case "strips":
    case "plot":
      return [];
    default:
      return part satisfies never;
  }
}

export function reportMarkdown({ title, sections }: SectionedReport): string {
  return [`# ${escapeMarkdown(title)}`, "", ...sections.flatMap(sectionMarkdown)].join("\n");
}

export function sectionMarkdown({ heading, parts }: ReportSection): string[] {
  const lines = parts.flatMap(partMarkdown);
  return heading === null || lines.length === 0 ? lines : [`## ${escapeMarkdown(heading)}`, "", ...lines];
}

function partMarkdown(part: ReportPart): string[] {
  switch (part.kind) {
    case "heading":
      return [`### ${escapeMarkdown(part.text)}`, ""];
    case "text":
      return [part.strong ? `**${escapeMarkdown(part.text)}**` : escapeMarkdown(part.text), ""];
    case "list":
      return [...part.entries.map((entry) => `- ${escapeMarkdown(entry)}`), ""];
    case "table":
      return [...markdownTable(part), "", ...(part.note ? [escapeMarkdown(part.note), ""] : [])];
    case "quotes":
      return [...part.quotes.map((quote) => `- ${quotation(quote)}`), ""];
    case "folded":
    case "strips":
    case "plot":
      return [];
    default:
      return part satisfies never;
  }
}

/** A passage with its position, and the relevant words in bold if there is more text around them. */
export function quotation({ before, marked, after, where, note }: QuotationView): string {
  const middle = before === "" && after === "" ? escapeMarkdown(marked) : `**${escapeMarkdown(marked.trim())}**`;
  const isMarked = before.replace("…", "") !== "" || after.replace("…", "") !== "";
  const text = `${escapeMarkdown(before)}${isMarked ? middle : escapeMarkdown(marked)}${escapeMarkdown(after)}`;
  return `${inMarks(text)} (${escapeMarkdown(note === null ? where : `${where}; ${note}`)})`;
}

function markdownTable({ headings, rows }: ReportTable): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [line(headings), `|${headings.map(() => " --- |").join("")}`, ...rows.map((row) => line(texts(row)))];
}

function texts(row: readonly ReportCell[]): string[] {
  return row.map((cell) => (typeof cell === "string" ? cell : cell.text));
}

/** A single file that looks like the web app and opens without a network or a script. */
export async function reportHtml(report: SectionedReport): Promise<string> {
  return (await reportFiles()).sectionedFile(report);
}

interface ReportFiles {
  reportFile(file: ReportFile): Promise<string>;
  sectionedFile(report: SectionedReport): Promise<string>;
  plotFile(plot: Extract<ReportPlot, { shape: "lines" }>): Promise<string>;
}

/**
 * The web app's own components, built for files by `scripts/build.mjs` and loaded when the first HTML file is
 * written.
 */
export async function reportFiles(): Promise<ReportFiles> {
  return import(/* @vite-ignore */ pathToFileURL(builtPath("report-file", "report-file.js")).href);
}

/** Rows below their headings, with columns as wide as needed; numbers and their placeholders are right-aligned. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), heading.length),
  );
  const numeric = headings.map((_, column) =>
    rows.every((row) => /^(?:[-−–]|[-−+]?[\d.,]+.*)?$/.test(row[column] ?? "")),
  );
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) =>
        numeric[column] ? (cells[column] ?? "").padStart(width) : (cells[column] ?? "").padEnd(width),
      )
      .join("  ")
      .trimEnd();
  return [line(headings), ...rows.map(line)].join("\n");
}
