import { groupBy } from "../../core/group-by.ts";
import type { ReferenceRule } from "../../qa/metrics/reference-rule.ts";
import type { AnswerSheet, SheetSystem } from "../../qa/scoring/answer-sheet.ts";
import type { SystemComparison } from "../../qa/scoring/compare-systems.ts";
import { sum } from "../../stats/distribution.ts";
import { htmlTable, markdownTable } from "../agreement/report-table.ts";
import { htmlPage } from "../html-page.ts";
import { escapeHtml } from "../markup.ts";
import { comparisonNotes, neighbourTable, pairTable, systemTable } from "./system-tables.ts";

const TITLE = "Answers about books";

export function systemsMarkdown(comparison: SystemComparison, rule: ReferenceRule, hasData: boolean): string {
  const pairs = comparison.systems.length > 1 ? markdownTable(neighbourTable(comparison)) : [];
  return [
    `# ${TITLE}`,
    "",
    ...markdownTable(systemTable(comparison)),
    ...comparisonNotes(comparison, rule, hasData).flatMap((note) => [note, ""]),
    ...pairs,
  ].join("\n");
}

/** The table, what every two systems differ by, and below it each book with each question, its references and all answers. */
export function systemsHtml(
  comparison: SystemComparison,
  sheet: AnswerSheet,
  rule: ReferenceRule,
  hasData: boolean,
): string {
  const notes = comparisonNotes(comparison, rule, hasData).map((note) => `<p class="range">${escapeHtml(note)}</p>`);
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

/** Each book with its means, and in it each question with its references and what every system answered. */
function bookDetails({ questions, systems }: AnswerSheet, metrics: readonly string[]): string {
  const byBook = groupBy(questions.keys(), (position) => questions[position]!.book ?? "Questions");
  const books = [...byBook].map(([book, positions]) => {
    const own = systems.map((system) => [
      escapeHtml(system.name),
      ...metrics.map((metric) => meanOver(system, metric, positions)),
    ]);
    const asked = positions.map((position) => {
      const { question, references } = questions[position]!;
      const answers = systems.map((system) => [
        escapeHtml(system.name),
        answerCell(system.answers[position]),
        ...metrics.map((metric) => figure(system.scores[metric]?.[position])),
      ]);
      return `<details><summary>${escapeHtml(question || "(no question given)")}</summary>
<p class="range">References: ${references.map((reference) => `“${escapeHtml(reference.trim())}”`).join(" · ")}</p>
${table(["system", "answer", ...metrics], answers)}</details>`;
    });
    return `<details><summary>${escapeHtml(book)} (${positions.length})</summary>
${table(["system", ...metrics], own)}
${asked.join("\n")}</details>`;
  });
  return `<section><h2>Book by book, question by question</h2>\n${books.join("\n")}</section>`;
}

function answerCell(answer: string | null | undefined): string {
  if (answer === undefined) return "<em>not asked</em>";
  return answer === null ? "<em>no answer</em>" : escapeHtml(answer.trim());
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${escapeHtml(heading)}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows
    .map((cells) => `<tr><td>${cells.join("<td>")}</tr>`)
    .join("")}</tbody></table>`;
}

function meanOver(system: SheetSystem, metric: string, positions: readonly number[]): string {
  const values = positions.flatMap((position) => {
    const value = system.scores[metric]?.[position];
    return value === undefined || Number.isNaN(value) ? [] : [value];
  });
  return values.length === 0 ? "–" : figure(sum(values) / values.length);
}

function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  return Number.isInteger(value) ? `${value}` : value.toFixed(2);
}
