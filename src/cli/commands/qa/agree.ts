import { groupBy } from "../../../core/group-by.ts";
import { countOf } from "../../../core/wording.ts";
import type { MetricRow } from "../../../qa/agreement.ts";
import type { MetricAgreement } from "../../../stats/meta-evaluation/agreement-study.ts";
import { qaAgreeTask } from "../../../tasks/qa/answers.ts";
import type { QaAgreeReport } from "../../../workflows/qa/agree.ts";
import { badLinesInWords } from "../../output/bad-lines.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

const STATISTICS = ["kendall", "spearman", "pearson"] as const;
const LEVELS = ["system", "item"] as const;
type StatisticName = (typeof STATISTICS)[number];
type Level = (typeof LEVELS)[number];

export default taskCommand(qaAgreeTask, {
  usage: "Give files of scored and rated answers: `fabula qa agree rated.jsonl`.",
  flags: {
    statistic: {
      type: "string",
      default: "kendall",
      choices: STATISTICS,
      value: "NAME",
      help: "the correlation to show",
    },
    level: {
      type: "string",
      default: "system",
      choices: LEVELS,
      value: "LEVEL",
      help: "correlate systems' averages, or answers",
    },
  },
  examples: [
    "fabula qa agree rated-llama.jsonl rated-qwen.jsonl rated-glm.jsonl",
    "fabula qa agree rated.jsonl --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus --data test.jsonl",
    "fabula qa agree rated.jsonl --statistic spearman --level item --json",
  ],
  async present(report, { flags, terminal, show }) {
    if (report.plan) return showPlan(report.plan, flags.json, terminal);
    const statistic = STATISTICS.find((name) => name === flags.statistic)!;
    const level = LEVELS.find((name) => name === flags.level)!;
    await show(() => describe(report, statistic, level));
    for (const [file, lines] of groupBy(report.badLines, (line) => line.file))
      terminal.note(badLinesInWords(lines, file));
    for (const [reason, count] of Object.entries(report.ungraded ?? {}))
      terminal.note(`${countOf(count, "answer")} not graded: ${reason}.`);
    if (report.run) terminal.note(runInWords(report.run));
    return report.ungraded || report.unrated > 0 || report.badLines.length > 0 ? 3 : 0;
  },
});

function describe({ answers, unrated, datasets }: QaAgreeReport, statistic: StatisticName, level: Level): string {
  const names = [...new Set(datasets.flatMap(({ metrics }) => metrics.map(({ metric }) => metric)))];
  const rowOf = (dataset: readonly MetricRow[], name: string) => dataset.find(({ metric }) => metric === name);
  const headings = datasets.flatMap(({ dataset }) => [`${dataset}: reference`, `${dataset}: summary`]);
  const rows = names.map((name) => [
    name,
    ...datasets.flatMap(({ metrics }) => {
      const row = rowOf(metrics, name);
      return [cell(row?.reference ?? null, statistic, level), cell(row?.summary ?? null, statistic, level)];
    }),
  ]);
  const facts = datasets.map(
    ({ dataset, systems, answers: count }) =>
      `${dataset}: ${countOf(count, "answer")} of ${countOf(systems, "system")}`,
  );
  return [
    `${level === "system" ? "System" : "Answer"}-level ${statistic === "kendall" ? "Kendall's τ" : statistic} with human ratings, 95% intervals in brackets`,
    textTable(["metric", ...headings], rows),
    ...(datasets.some(({ metrics }) => metrics.some(({ summary }) => summary === null))
      ? ["A dash: a metric that sees only the references is compared only with raters who did the same."]
      : []),
    `${facts.join("; ")}.${unrated > 0 ? ` ${unrated} of ${answers} answers have no rating and are left out.` : ""}`,
  ].join("\n\n");
}

function cell(found: MetricAgreement | null, statistic: StatisticName, level: Level): string {
  const agreement = level === "system" ? found?.agreement : found?.pooled;
  if (!agreement) return "-";
  const { value, interval } = agreement[statistic];
  if (value === null) return "undefined";
  const range = interval ? ` [${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}]` : "";
  return `${value.toFixed(4)}${range}${agreement.missing > 0 ? ` (${agreement.missing} missing)` : ""}`;
}
