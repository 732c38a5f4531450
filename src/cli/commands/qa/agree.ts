import { costFields } from "../../../core/cost.ts";
import { FabulaError } from "../../../core/errors.ts";
import { groupBy } from "../../../core/group-by.ts";
import { countOf } from "../../../core/wording/count-of.ts";
import type { MetricRow } from "../../../qa/agreement/meta-evaluation.ts";
import { GRADING_PROTOCOLS } from "../../../qa/judging/grading-setting.ts";
import type { MetricAgreement } from "../../../stats/meta-evaluation/agreement-study.ts";
import { DEFAULT_RESAMPLES } from "../../../stats/resampling/percentile-bootstrap.ts";
import { agreeOnAnswers, type QaAgreeReport } from "../../../workflows/qa/agree.ts";
import { defineCommand } from "../../command.ts";
import { PROTOCOL_FLAG } from "../../flags/grading-flags.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { badLinesInWords } from "../../output/bad-lines.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { runServices } from "../../run-services.ts";

const STATISTICS = ["kendall", "spearman", "pearson"] as const;
const LEVELS = ["system", "item"] as const;
type StatisticName = (typeof STATISTICS)[number];
type Level = (typeof LEVELS)[number];

export default defineCommand({
  summary: "How well each metric agrees with people on answers about books, by system and by answer.",
  operands: "FILE...",
  flags: {
    metrics: { type: "string", value: "LIST", help: "which of the scores, separated by commas; all when not given" },
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
    over: {
      type: "string",
      choices: ["items", "systems", "both"],
      value: "UNIT",
      help: "what the intervals draw at system level [both]",
    },
    resamples: {
      type: "number",
      value: "N",
      integer: true,
      minimum: 0,
      maximum: 1_000_000,
      help: `bootstrap resamples [${DEFAULT_RESAMPLES}]`,
    },
    seed: { type: "number", default: 1, integer: true, value: "N", help: "the random seed" },
    judge: {
      type: "string",
      value: "MODEL",
      help: "first have this model grade the rated answers, each beside what its raters saw, and compare it too",
    },
    protocol: PROTOCOL_FLAG,
    data: {
      type: "string",
      value: "FILE",
      help: "with --judge: the books with their summaries, where the answers do not carry them",
    },
    rubric: { type: "string", default: "qa-grading", value: "NAME|FILE", help: "the judge's scale" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula qa agree rated-llama.jsonl rated-qwen.jsonl rated-glm.jsonl",
    "fabula qa agree rated.jsonl --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus --data test.jsonl",
    "fabula qa agree rated.jsonl --statistic spearman --level item --json",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0) {
      throw new FabulaError("E_USAGE", "Give files of scored and rated answers: `fabula qa agree rated.jsonl`.");
    }
    const { over } = flags;
    const report = await agreeOnAnswers({
      files: operands,
      seed: flags.seed,
      ...(flags.metrics !== undefined && { metrics: flags.metrics.split(",").map((name) => name.trim()) }),
      ...((over === "items" || over === "systems" || over === "both") && { over }),
      ...(flags.resamples !== undefined && { resamples: flags.resamples }),
      ...(flags.judge !== undefined && {
        grading: {
          judge: flags.judge,
          protocol: GRADING_PROTOCOLS.find((name) => name === flags.protocol)!,
          rubric: flags.rubric,
          ...(flags.data !== undefined && { data: flags.data }),
          settings: runSettings(flags),
          services: runServices(terminal, signal),
        },
      }),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (report.plan) return showPlan(report.plan, flags.json, terminal);
    const statistic = STATISTICS.find((name) => name === flags.statistic)!;
    const level = LEVELS.find((name) => name === flags.level)!;
    terminal.print(flags.json ? jsonDocument("qa-agreement", toJson(report)) : describe(report, statistic, level));
    for (const [file, lines] of groupBy(report.badLines, (line) => line.file))
      terminal.note(badLinesInWords(lines, file));
    for (const [reason, count] of Object.entries(report.ungraded ?? {}))
      terminal.note(`${countOf(count, "answer")} not graded: ${reason}.`);
    if (report.run) terminal.note(runInWords(report.run));
    return report.ungraded || report.unrated > 0 || report.badLines.length > 0 ? 3 : 0;
  },
});

function toJson({ answers, unrated, badLines, datasets, ungraded, run }: QaAgreeReport) {
  const figures = ({ level, n, missing, kendall, spearman, pearson }: MetricAgreement["agreement"]) => ({
    level,
    n,
    missing,
    kendall,
    spearman,
    pearson,
  });
  const cell = (found: MetricAgreement | null) =>
    found && {
      system: figures(found.agreement),
      item: found.pooled && figures(found.pooled),
      withinItems: found.withinItems,
      warnings: found.warnings,
    };
  return {
    answers,
    unrated,
    ...(badLines.length > 0 && { badLines }),
    ...(ungraded && { ungraded }),
    ...(run && { run: run.id, ...costFields(run.summary) }),
    datasets: datasets.map(({ metrics, ...facts }) => ({
      ...facts,
      metrics: metrics.map(({ metric, reference, summary }) => ({
        metric,
        reference: cell(reference),
        summary: cell(summary),
      })),
    })),
  };
}

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
