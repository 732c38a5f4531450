import { escapeMarkdown } from "../markup.ts";
import type { AgreementReport } from "./agreement-report.ts";
import { agreementTables, type ReportTable, studyInWords, warningsInWords } from "./agreement-wording.ts";

export function agreementMarkdown(report: AgreementReport): string {
  return [
    `# Agreement with ${escapeMarkdown(report.human)}`,
    "",
    ...studyInWords(report).map(escapeMarkdown),
    "",
    ...warningsInWords(report).map((warning) => `- **Warning:** ${escapeMarkdown(warning)}`),
    "",
    ...agreementTables(report).flatMap(markdownTable),
  ].join("\n");
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
