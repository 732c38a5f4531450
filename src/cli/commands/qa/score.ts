import { countOf } from "../../../core/wording.ts";
import type { ReferenceRule } from "../../../qa/metrics/reference-rule.ts";
import type { AnswerSheet } from "../../../qa/scoring/answer-sheet.ts";
import type { SystemComparison } from "../../../qa/scoring/compare-systems.ts";
import { comparisonNotes, neighbourTable, systemTable } from "../../../report/qa/system-tables.ts";
import { qaScoreTask } from "../../../tasks/qa/answers.ts";
import type { ScoreSystemsReport } from "../../../workflows/qa/score-systems.ts";
import { badLinesInWords } from "../../output/bad-lines.ts";
import { planInWords, runInWords } from "../../output/run-wording.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaScoreTask, {
  examples: [
    "fabula qa score --in predictions.jsonl",
    "fabula qa score --in predictions.jsonl --judge openai:gpt-4.1 --grading summary --data test.jsonl --max-cost 5",
    "fabula qa score first.jsonl second.jsonl --data test.jsonl --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus --grading summary",
    "fabula qa score --in predictions.jsonl --lengths 5",
    "fabula qa score --in predictions.jsonl --bert-score models/deberta-xlarge-mnli --bert-idf",
    "fabula qa score first.jsonl second.jsonl third.jsonl --data test.jsonl --out table.html",
    "fabula qa score first.jsonl second.jsonl --data test.jsonl --out table.csv",
    "fabula qa score --in predictions.jsonl --metrics rouge-l,meteor --out scored.jsonl --json",
  ],
  prepare(input) {
    if (input.out !== undefined && input.out !== "-")
      checkedEnding(input.out, ["html", "md", "csv", "parquet", "jsonl"]);
    return input;
  },
  async present(report, { input: { out, references, data }, terminal, show }) {
    const { comparison, sheet } = report;
    const isTable = out !== undefined && /\.(?:html|md|csv|parquet)$/i.test(out);
    if (isTable && comparison && sheet) {
      await writeSystems(out, comparison, sheet, references, data !== undefined);
      terminal.note(`Wrote ${out}`);
    }
    await show(() => (out === "-" ? "" : describe(report, data !== undefined)));
    for (const { file, badLines } of report.files) if (badLines) terminal.note(badLinesInWords(badLines, file));
    for (const { run } of report.files) if (run) terminal.note(runInWords(run));
    const isPartial = report.files.some(
      ({ unscored, ungraded, badLines }) => unscored > 0 || (ungraded ?? 0) > 0 || badLines !== undefined,
    );
    return isPartial ? 3 : 0;
  },
});

async function writeSystems(
  path: string,
  comparison: SystemComparison,
  sheet: AnswerSheet,
  references: ReferenceRule,
  hasData: boolean,
): Promise<void> {
  if (/\.(?:csv|parquet)$/i.test(path)) {
    const [{ writeTable }, { SYSTEM_COLUMNS, systemRows }] = await Promise.all([
      import("../../../workflows/tables.ts"),
      import("../../../report/qa/system-rows.ts"),
    ]);
    return writeTable(path, SYSTEM_COLUMNS, systemRows(comparison, references));
  }
  const { systemsHtml, systemsMarkdown } = await import("../../../report/qa/system-report.ts");
  return writeReport(path, {
    html: () => systemsHtml(comparison, sheet, references, hasData),
    md: () => systemsMarkdown(comparison, references, hasData),
  });
}

function describe({ files, comparison }: ScoreSystemsReport, hasData: boolean): string {
  const parts = files.map((report) => describeFile(report, files.length > 1));
  if (comparison) {
    const { headings, rows } = systemTable(comparison);
    parts.push(textTable(headings, rows));
    if (comparison.systems.length > 1) {
      const pairs = neighbourTable(comparison);
      parts.push(`${pairs.title}:`, textTable(pairs.headings, pairs.rows));
    }
    parts.push(...comparisonNotes(comparison, files[0]!.references, hasData));
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

const MOST_REASONS = 5;

type FileReport = ScoreSystemsReport["files"][number];

function describeFile(report: FileReport, named: boolean): string {
  const { file, items, unscored, ungraded, ungradedReasons, metrics, lengths, plan } = report;
  const ids = Object.keys(metrics);
  const name = named ? `${file}: ` : "";
  const parts = [
    `${name}${countOf(items, "answer")}${unscored > 0 ? `, ${unscored} of them unscored and left out of the means` : ""}`,
  ];
  if (ungraded) {
    const reasons = Object.entries(ungradedReasons ?? {}).sort(([, left], [, right]) => right - left);
    parts.push(
      [
        `${countOf(ungraded, "answer")} could not be graded: the judge's mean is over the others.`,
        ...reasons.slice(0, MOST_REASONS).map(([reason, count]) => `  ${count} × ${reason}`),
        ...(reasons.length > MOST_REASONS ? [`  and ${countOf(reasons.length - MOST_REASONS, "other reason")}`] : []),
      ].join("\n"),
    );
  }
  if (plan) parts.push(planInWords(plan));
  if (lengths) {
    const rows = lengths.map((bin) => [
      bin.from === bin.to ? `${bin.from}` : `${bin.from}–${bin.to}`,
      `${bin.items}`,
      ...ids.map((id) => bin.metrics[id]?.mean.toFixed(2) ?? "–"),
    ]);
    parts.push(
      "By difference in words from the nearest reference, in standard deviations from each metric's mean:",
      textTable(["words", "answers", ...ids], rows),
    );
  }
  return parts.join("\n\n");
}
