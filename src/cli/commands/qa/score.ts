import { costFields } from "../../../core/cost.ts";
import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording/count-of.ts";
import { GRADING_PROTOCOLS, GRADING_SETTINGS } from "../../../qa/judging/grading-setting.ts";
import type { BertScores } from "../../../qa/metrics/bert-score.ts";
import { METRIC_IDS } from "../../../qa/metrics/load-metrics.ts";
import { REFERENCE_RULES, type ReferenceRule } from "../../../qa/metrics/reference-rule.ts";
import type { AnswerSheet } from "../../../qa/scoring/answer-sheet.ts";
import type { SystemComparison } from "../../../qa/scoring/compare-systems.ts";
import { comparisonNotes, neighbourTable, systemTable } from "../../../report/qa/system-tables.ts";
import { type ScoreSystemsReport, scoreSystems } from "../../../workflows/qa/score-systems.ts";
import { defineCommand } from "../../command.ts";
import { PROTOCOL_FLAG } from "../../flags/grading-flags.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { badLinesInWords } from "../../output/bad-lines.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { planInWords, runInWords } from "../../output/run-wording.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary:
    "Compare answers with their references, and systems with each other: exact match, F1, ROUGE, METEOR, a judge.",
  operands: "[FILE...]",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      repeats: true,
      help: 'answers, one JSON object per line: {"prediction": "…", "answers": ["…", …]}; - is standard input',
    },
    metrics: { type: "string", value: "LIST", help: `which metrics, separated by commas [${METRIC_IDS.join(",")}]` },
    references: {
      type: "string",
      default: "best",
      choices: REFERENCE_RULES,
      value: "RULE",
      help: "which of several references to compare with",
    },
    out: {
      type: "string",
      value: "FILE",
      help: "write the table of systems (.html with every book and question, .md, or .csv and .parquet for programs), or each answer with its scores (.jsonl, or - )",
    },
    lengths: {
      type: "number",
      value: "BINS",
      integer: true,
      minimum: 2,
      maximum: 50,
      help: "also show each metric against the difference in length from the references, in this many bins",
    },
    "bert-score": {
      type: "string",
      value: "MODEL",
      help: "also compute BERTScore with this model (a folder with onnx/, or a Hugging Face name; :q4 chooses a file); needs @huggingface/transformers",
    },
    "bert-idf": { type: "boolean", help: "weigh rare tokens more, by how many references have them" },
    "bert-baseline": {
      type: "string",
      value: "P,R,F",
      help: "rescale BERTScore by the model's published baseline: three numbers",
    },
    judge: { type: "string", value: "MODEL", help: "also have this model grade each answer from 1 to 5" },
    grading: {
      type: "string",
      default: "reference",
      choices: GRADING_SETTINGS,
      value: "SETTING",
      help: "what the judge sees: the references, or the book's summary as well",
    },
    protocol: PROTOCOL_FLAG,
    data: {
      type: "string",
      value: "FILE",
      help: "the books with their questions and summaries: for --grading summary, and where answers do not name their book",
    },
    resamples: {
      type: "number",
      default: 1000,
      integer: true,
      minimum: 100,
      maximum: 100_000,
      value: "N",
      help: "bootstrap resamples of books",
    },
    seed: { type: "number", default: 1, integer: true, value: "N", help: "the random seed" },
    rubric: { type: "string", default: "qa-grading", value: "NAME|FILE", help: "the judge's scale" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula qa score --in predictions.jsonl",
    "fabula qa score --in predictions.jsonl --judge openai:gpt-4.1 --grading summary --data test.jsonl --max-cost 5",
    "fabula qa score predictions-*.jsonl --data test.jsonl --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus --grading summary",
    "fabula qa score --in predictions.jsonl --lengths 5",
    "fabula qa score --in predictions.jsonl --bert-score models/deberta-xlarge-mnli --bert-idf",
    "fabula qa score first.jsonl second.jsonl third.jsonl --data test.jsonl --out table.html",
    "fabula qa score first.jsonl second.jsonl --data test.jsonl --out table.csv",
    "fabula qa score --in predictions.jsonl --metrics rouge-l,meteor --out scored.jsonl --json",
  ],
  async run({ operands, flags, terminal, signal }) {
    // A shell makes `--in *.jsonl` a flag with the first file, and words with the others.
    const files = [...flags.in, ...operands];
    requireFlag("qa score", "in", files[0]);
    const isTable = flags.out !== undefined && /\.(?:html|md|csv|parquet)$/i.test(flags.out);
    if (flags.out !== undefined && flags.out !== "-")
      checkedEnding(flags.out, ["html", "md", "csv", "parquet", "jsonl"]);
    const references = REFERENCE_RULES.find((rule) => rule === flags.references)!;
    const report = await scoreSystems({
      inputs: files,
      references,
      resamples: flags.resamples,
      seed: flags.seed,
      ...(flags.metrics !== undefined && { metrics: flags.metrics.split(",").map((id) => id.trim()) }),
      ...(flags.out !== undefined && !isTable && { output: flags.out }),
      ...(flags.data !== undefined && { data: flags.data }),
      ...(flags.lengths !== undefined && { lengthBins: flags.lengths }),
      ...(flags["bert-score"] !== undefined && {
        bertScore: {
          model: flags["bert-score"],
          idf: flags["bert-idf"],
          ...(flags["bert-baseline"] !== undefined && { baseline: baselineFrom(flags["bert-baseline"]) }),
        },
      }),
      ...(flags.judge !== undefined && {
        grading: {
          judge: flags.judge,
          setting: GRADING_SETTINGS.find((name) => name === flags.grading)!,
          protocol: GRADING_PROTOCOLS.find((name) => name === flags.protocol)!,
          rubric: flags.rubric,
          ...(flags.data !== undefined && { data: flags.data }),
          settings: runSettings(flags),
          services: runServices(terminal, signal),
          onProgress: terminal.progress,
        },
      }),
      signal,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    const { comparison, sheet } = report;
    if (isTable && comparison && sheet) {
      await writeSystems(flags.out!, comparison, sheet, references, flags.data !== undefined);
      terminal.note(`Wrote ${flags.out}`);
    }
    if (flags.json) terminal.print(jsonDocument("qa-scores", toJson(report)));
    else if (flags.out !== "-") terminal.print(describe(report, flags.data !== undefined));
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
      import("../../../workflows/tables/write-table.ts"),
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

function baselineFrom(words: string): BertScores {
  const values = words.split(",").map(Number);
  if (values.length === 3 && values.every((value) => value > -1 && value < 1))
    return [values[0]!, values[1]!, values[2]!];
  throw new FabulaError("E_USAGE", `--bert-baseline ${words}: give precision, recall and F1, such as 0.43,0.43,0.44.`);
}

function toJson({ files, comparison }: ScoreSystemsReport) {
  const documents = files.map(({ run, ...report }) =>
    run ? { ...report, run: run.id, ...costFields(run.summary) } : report,
  );
  if (documents.length > 1) return { files: documents, comparison };
  const { file: _file, ...only } = documents[0]!;
  return { ...only, intervals: comparison?.systems.length === 1 ? intervalsOf(comparison) : undefined };
}

function intervalsOf({ systems }: SystemComparison) {
  return Object.fromEntries(Object.entries(systems[0]!.metrics).map(([id, { interval }]) => [id, interval]));
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
