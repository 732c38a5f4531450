import { groupBy } from "../../../core/group-by.ts";
import { badLinesInWords } from "../../../core/json-lines.ts";
import { countOf, signedNumber } from "../../../core/wording.ts";
import type { MetricRow } from "../../../qa/agreement.ts";
import type { ReferenceRule } from "../../../qa/metrics/reference-rule.ts";
import type { RaterAgreement } from "../../../qa/rating.ts";
import type { AnswerSheet } from "../../../qa/scoring/answer-sheet.ts";
import type { SystemComparison } from "../../../qa/scoring/compare-systems.ts";
import {
  comparisonNotes,
  neighbourTable,
  SYSTEM_COLUMNS,
  sectionedSystems,
  systemRows,
  systemTable,
} from "../../../report/qa/system-report.ts";
import { reportHtml, reportMarkdown, textTable } from "../../../report/report-forms.ts";
import type { MetricAgreement } from "../../../stats/meta-evaluation/agreement-study.ts";
import type { QaAgreeReport } from "../../../tasks/qa/agree.ts";
import type { AnswerReport } from "../../../tasks/qa/answer-questions.ts";
import {
  qaAgreeTask,
  qaAnswerTask,
  qaRateTask,
  qaSampleTask,
  qaScoreTask,
  qaSheetTask,
} from "../../../tasks/qa/answers.ts";
import type { RatedReport } from "../../../tasks/qa/rate.ts";
import type { ScoreSystemsReport } from "../../../tasks/qa/score-systems.ts";
import { planInWords, reasonsInWords, runInWords } from "../../output/run-wording.ts";
import { showAsked, showPlan } from "../../output/show-plan.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export const sampleCommand = taskCommand(qaSampleTask, {
  usage: "Give files of answers: `fabula qa sample a.jsonl b.jsonl --out sample.jsonl`.",
  examples: ["fabula qa sample llama.jsonl qwen.jsonl glm.jsonl --n 500 --seed 1 --data test.jsonl --out sample.jsonl"],
  async present(report, { input, flags, terminal, show }) {
    const { questions, ofQuestions, books, systems, answers, withoutSummary } = report;
    if (input.out === "-" && !flags.json) return 0;
    await show(
      () =>
        `${questions} of ${countOf(ofQuestions, "question")} about ${countOf(books, "book")}, ${countOf(answers, "answer")} of ${countOf(systems, "system")}.`,
    );
    if (withoutSummary > 0 && !flags.json)
      terminal.note(`${countOf(withoutSummary, "answer")} without a summary: give the books with --data.`);
    return 0;
  },
});

export const answerCommand = taskCommand(qaAnswerTask, {
  shares: true,
  examples: [
    "fabula qa answer --in test.jsonl --model openai:gpt-4.1 --texts books/ --out answers.jsonl --max-cost 20",
    "fabula qa answer --in test.jsonl --model ollama:llama3.1 --texts books/ --context-tokens 32000 --overlong window --out answers.jsonl",
    "fabula qa answer --in test.jsonl --model ollama:llama3.1 --setting retrieval --texts books/ --out answers.jsonl",
  ],
  present: async (asked, context) =>
    asked === null
      ? 0
      : showAsked(asked, context, (result) => ({
          lines: context.input.out === "-" ? [] : inWords(result),
          isWhole: result.answered >= result.questions,
        })),
});

function* inWords(report: AnswerReport): Generator<string> {
  const { answered, questions, unanswered, partlySeen, meanShareSeen } = report;
  yield `${answered} of ${countOf(questions, "question")} answered.`;
  yield* reasonsInWords("unanswered", unanswered);
  if (partlySeen > 0 && meanShareSeen !== null) {
    const share = Math.round(100 * meanShareSeen);
    yield `  ${partlySeen} from only part of the book: on average ${share} % of a book was shown.`;
  }
}

export const scoreCommand = taskCommand(qaScoreTask, {
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
    await show(() => (out === "-" ? "" : scoresInWords(report, data !== undefined)));
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
    const { writeTable } = await import("../../../tasks/tables.ts");
    return writeTable(path, SYSTEM_COLUMNS, systemRows(comparison, references));
  }
  const report = sectionedSystems(comparison, sheet, references, hasData);
  return writeReport(path, { html: () => reportHtml(report), md: () => reportMarkdown(report) });
}

function scoresInWords({ files, comparison }: ScoreSystemsReport, hasData: boolean): string {
  const parts = files.map((report) => describeFile(report, files.length > 1));
  if (comparison) {
    const { headings, rows } = systemTable(comparison);
    parts.push(textTable(headings, rows));
    if (comparison.differences.length > 0) {
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

const USAGE =
  "Give the sample, and either --rater NAME --sheet FILE to write a sheet, or the filled-in sheets: `fabula qa rate sample.jsonl ana.csv ben.csv`.";

export const rateCommand = taskCommand(qaRateTask, {
  usage: USAGE,
  examples: [
    "fabula qa rate sample.jsonl --rater ana --sheet ana.csv",
    "fabula qa rate sample.jsonl ana.csv ben.csv --out rated.jsonl",
    "fabula qa agree rated.jsonl",
  ],
  async present(report, { input, show }) {
    await show(() => (input.out === "-" ? "" : ratingsInWords(report)));
    return 0;
  },
  others: [
    otherWay(qaSheetTask, {
      flag: "--sheet",
      when: ({ sheet }) => sheet !== undefined,
      withOperands: USAGE,
      async present({ lines }, { input, show }) {
        await show(() => `${countOf(lines, "answer")} to rate from 1 to 5 in ${input.sheet}.`);
        return 0;
      },
    }),
  ],
});

function ratingsInWords({ settings }: RatedReport): string {
  return Object.entries(settings)
    .map(([setting, agreement]) =>
      [
        `Beside the ${setting === "summary" ? "summary" : "references"}: ${countOf(agreement.rated, "answer")} rated, ${agreement.twice} by more than one rater.`,
        alphaInWords(agreement),
        textTable(
          ["rater", "answers", "mean"],
          agreement.raters.map(({ name, rated, mean }) => [name, `${rated}`, mean?.toFixed(2) ?? "–"]),
        ),
      ].join("\n"),
    )
    .join("\n\n");
}

function alphaInWords({ alpha, interval }: RaterAgreement): string {
  if (alpha.value === null) return `Krippendorff's α: undefined (${alpha.reason}).`;
  const range = interval === null ? "" : ` [${minus(interval[0], 2)}, ${minus(interval[1], 2)}]`;
  return `Krippendorff's α (ordinal): ${minus(alpha.value, 3)}${range}.`;
}

/** Uses a real minus sign, but not for a number that rounds to zero. */
function minus(value: number, digits: number): string {
  return signedNumber(value, digits).replace(/^\+/, "");
}

const STATISTICS = ["kendall", "spearman", "pearson"] as const;
const LEVELS = ["system", "item"] as const;
type StatisticName = (typeof STATISTICS)[number];
type Level = (typeof LEVELS)[number];

export const agreeCommand = taskCommand(qaAgreeTask, {
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
    await show(() => agreementInWords(report, statistic, level));
    for (const [file, lines] of groupBy(report.badLines, (line) => line.file))
      terminal.note(badLinesInWords(lines, file));
    for (const [reason, count] of Object.entries(report.ungraded ?? {}))
      terminal.note(`${countOf(count, "answer")} not graded: ${reason}.`);
    if (report.run) terminal.note(runInWords(report.run));
    return report.ungraded || report.unrated > 0 || report.badLines.length > 0 ? 3 : 0;
  },
});

function agreementInWords(
  { answers, unrated, datasets }: QaAgreeReport,
  statistic: StatisticName,
  level: Level,
): string {
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
    ...missingIntervals(datasets, statistic, level),
    `${facts.join("; ")}.${unrated > 0 ? ` ${unrated} of ${answers} answers have no rating and are left out.` : ""}`,
  ].join("\n\n");
}

/** Why a figure has no interval, each reason once. */
function missingIntervals(datasets: QaAgreeReport["datasets"], statistic: StatisticName, level: Level): string[] {
  const reasons = datasets.flatMap(({ dataset, metrics }) =>
    metrics.flatMap(({ reference, summary }) =>
      [reference, summary].flatMap((found) => {
        const figure = (level === "system" ? found?.agreement : found?.pooled)?.[statistic];
        if (!figure || figure.value === null || figure.noInterval === undefined) return [];
        return [`No interval${datasets.length > 1 ? ` for ${dataset}` : ""}: ${figure.noInterval}.`];
      }),
    ),
  );
  return [...new Set(reasons)];
}

function cell(found: MetricAgreement | null, statistic: StatisticName, level: Level): string {
  const agreement = level === "system" ? found?.agreement : found?.pooled;
  if (!agreement) return "–";
  const { value, interval } = agreement[statistic];
  if (value === null) return "undefined";
  const range = interval ? ` [${minus(interval[0], 2)}, ${minus(interval[1], 2)}]` : "";
  return `${minus(value, 4)}${range}${agreement.missing > 0 ? ` (${agreement.missing} missing)` : ""}`;
}
