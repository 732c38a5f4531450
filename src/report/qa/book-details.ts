import { groupBy } from "../../core/group-by.ts";
import type { AnswerSheet, SheetSystem } from "../../qa/scoring/answer-sheet.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { escapeHtml } from "../markup.ts";

/** Each book with its means, and in it each question with its references and what every system answered. */
export function bookDetails({ questions, systems }: AnswerSheet, metrics: readonly string[]): string {
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
