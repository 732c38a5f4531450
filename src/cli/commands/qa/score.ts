import { costFields } from "../../../core/cost.ts";
import { GRADING_SETTINGS } from "../../../qa/judging/grading-setting.ts";
import { METRIC_IDS } from "../../../qa/metrics/load-metrics.ts";
import { type ScoreAnswersReport, scoreAnswers } from "../../../workflows/qa/score.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { planInWords, runInWords } from "../../output/run-wording.ts";
import { textTable } from "../../output/table.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "Compare answers with their references: exact match, F1, ROUGE, METEOR, embeddings, a judge.",
  operands: "[FILE...]",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      repeats: true,
      help: 'answers, one JSON object per line: {"prediction": "…", "answers": ["…", …]}; - is standard input',
    },
    metrics: { type: "string", value: "LIST", help: `which metrics, separated by commas [${METRIC_IDS.join(",")}]` },
    out: { type: "string", value: "FILE", help: "write each answer with its scores as JSONL; - is standard output" },
    lengths: {
      type: "number",
      value: "BINS",
      integer: true,
      minimum: 2,
      maximum: 50,
      help: "also show each metric against the difference in length from the references, in this many bins",
    },
    embeddings: {
      type: "string",
      value: "MODEL",
      help: "also match word vectors of this model: openai:MODEL, MODEL@http://host/v1",
    },
    judge: { type: "string", value: "MODEL", help: "also have this model grade each answer from 1 to 5" },
    grading: {
      type: "string",
      default: "reference",
      choices: GRADING_SETTINGS,
      value: "SETTING",
      help: "what the judge sees: the references, or the book's summary as well",
    },
    data: { type: "string", value: "FILE", help: "the books with their summaries, for --grading summary" },
    rubric: { type: "string", default: "qa-grading", value: "NAME|FILE", help: "the judge's scale" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula qa score --in predictions.jsonl",
    "fabula qa score --in predictions.jsonl --judge openai:gpt-4.1 --grading summary --data test.jsonl --max-cost 5",
    "fabula qa score --in predictions.jsonl --lengths 5",
    "fabula qa score --in first-system.jsonl second-system.jsonl",
    "fabula qa score --in predictions.jsonl --metrics rouge-l,meteor --out scored.jsonl --json",
  ],
  async run({ operands, flags, terminal, signal }) {
    // A shell makes `--in *.jsonl` a flag with the first file, and words with the others.
    const files = [...flags.in, ...operands];
    requireFlag("qa score", "in", files[0]);
    const options = {
      ...(flags.metrics !== undefined && { metrics: flags.metrics.split(",").map((id) => id.trim()) }),
      ...(flags.out !== undefined && { output: flags.out }),
      ...(flags.lengths !== undefined && { lengthBins: flags.lengths }),
      ...(flags.embeddings !== undefined && {
        embeddings: { model: flags.embeddings, connections: runSettings(flags).connections },
      }),
      ...(flags.judge !== undefined && {
        grading: {
          judge: flags.judge,
          setting: GRADING_SETTINGS.find((name) => name === flags.grading)!,
          rubric: flags.rubric,
          ...(flags.data !== undefined && { data: flags.data }),
          settings: runSettings(flags),
          services: runServices(terminal, signal),
          onProgress: terminal.progress,
        },
      }),
      signal,
      onProgress: terminal.progress,
    };
    const documents: object[] = [];
    let anyGaps = false;
    for (const file of files) {
      const report = await scoreAnswers({ ...options, input: file });
      terminal.endProgress();
      documents.push(files.length > 1 ? { file, ...toJson(report) } : toJson(report));
      if (!flags.json && flags.out !== "-")
        terminal.print(`${files.length > 1 ? `${file}: ` : ""}${describe(report)}\n`);
      if (report.run) terminal.note(runInWords(report.run));
      anyGaps ||= report.unscored > 0 || (report.ungraded ?? 0) > 0;
    }
    if (flags.json) terminal.print(jsonDocument("qa-scores", files.length > 1 ? { files: documents } : documents[0]!));
    return anyGaps ? 3 : 0;
  },
});

function toJson({ run, ...report }: ScoreAnswersReport) {
  return run ? { ...report, run: run.id, ...costFields(run.summary) } : report;
}

function describe({ items, unscored, ungraded, metrics, lengths, plan }: ScoreAnswersReport): string {
  const ids = Object.keys(metrics);
  const parts = [
    `${items} answers${unscored > 0 ? `, ${unscored} of them unscored and left out of the means` : ""}`,
    textTable(
      ["metric", "mean"],
      ids.map((id) => [id, metrics[id]!.toFixed(4)]),
    ),
  ];
  if (ungraded) parts.push(`${ungraded} answers could not be graded and are left out of the judge's mean.`);
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
