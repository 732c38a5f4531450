import { METRIC_IDS } from "../../qa/metrics/load-metrics.ts";
import { type ScoreAnswersReport, scoreAnswers } from "../../workflows/qa-score.ts";
import { defineCommand } from "../command.ts";
import { requireFlag } from "../require-flag.ts";
import { textTable } from "../table.ts";

export default defineCommand({
  summary: "Compare answers with their references: exact match, F1, ROUGE, METEOR.",
  operands: "",
  flags: {
    in: {
      type: "string",
      value: "FILE",
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
  },
  examples: [
    "fabula qa score --in predictions.jsonl",
    "fabula qa score --in predictions.jsonl --lengths 5",
    "fabula qa score --in predictions.jsonl --metrics rouge-l,meteor --out scored.jsonl --json",
  ],
  async run({ flags, terminal }) {
    const report = await scoreAnswers({
      input: requireFlag("qa score", "in", flags.in),
      ...(flags.metrics !== undefined && { metrics: flags.metrics.split(",").map((id) => id.trim()) }),
      ...(flags.out !== undefined && { output: flags.out }),
      ...(flags.lengths !== undefined && { lengthBins: flags.lengths }),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (flags.json) terminal.print(JSON.stringify(report));
    else if (flags.out !== "-") terminal.print(describe(report));
    return report.unscored > 0 ? 3 : 0;
  },
});

function describe({ items, unscored, metrics, lengths }: ScoreAnswersReport): string {
  const ids = Object.keys(metrics);
  const parts = [
    `${items} answers${unscored > 0 ? `, ${unscored} of them unscored and left out of the means` : ""}`,
    textTable(
      ["metric", "mean"],
      ids.map((id) => [id, metrics[id]!.toFixed(4)]),
    ),
  ];
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
