import type { ReferenceRule } from "../../qa/metrics/reference-rule.ts";
import type { AnswerSheet } from "../../qa/scoring/answer-sheet.ts";
import type { SystemComparison } from "../../qa/scoring/compare-systems.ts";
import { htmlTable, markdownTable } from "../agreement/report-table.ts";
import { htmlPage } from "../html-page.ts";
import { escapeHtml } from "../markup.ts";
import { bookDetails } from "./book-details.ts";
import { comparisonNotes, neighbourTable, pairTable, systemTable } from "./system-tables.ts";

const TITLE = "Answers about books";

export function systemsMarkdown(comparison: SystemComparison, rule: ReferenceRule): string {
  const pairs = comparison.systems.length > 1 ? markdownTable(neighbourTable(comparison)) : [];
  return [
    `# ${TITLE}`,
    "",
    ...markdownTable(systemTable(comparison)),
    ...comparisonNotes(comparison, rule).flatMap((note) => [note, ""]),
    ...pairs,
  ].join("\n");
}

/** The table, what every two systems differ by, and below it each book with each question, its references and all answers. */
export function systemsHtml(comparison: SystemComparison, sheet: AnswerSheet, rule: ReferenceRule): string {
  const notes = comparisonNotes(comparison, rule).map((note) => `<p class="range">${escapeHtml(note)}</p>`);
  const pairs = comparison.systems.length > 1 ? pairsHtml(comparison) : "";
  return htmlPage(
    TITLE,
    `<h1>${TITLE}</h1>
<div class="wide">${htmlTable(systemTable(comparison))}</div>
${notes.join("\n")}
${pairs}
${bookDetails(sheet, comparison.metrics)}`,
  );
}

function pairsHtml(comparison: SystemComparison): string {
  const every = comparison.metrics.map(
    (metric) =>
      `<details><summary>Every two systems: ${escapeHtml(metric)}</summary>${htmlTable(pairTable(comparison, metric))}</details>`,
  );
  return `<div class="wide">${htmlTable(neighbourTable(comparison))}</div>\n${every.join("\n")}`;
}
