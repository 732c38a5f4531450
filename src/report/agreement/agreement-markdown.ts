import { escapeMarkdown } from "../markup.ts";
import type { AgreementReport } from "./agreement-report.ts";
import { agreementTables, studyInWords, warningsInWords } from "./agreement-wording.ts";
import { markdownTable } from "./report-table.ts";

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
