import { predictRatings } from "../../workflows/reader-predict.ts";
import { defineCommand } from "../command.ts";
import { requireFlag } from "../require-flag.ts";

export default defineCommand({
  summary:
    "Predict what readers will give stories, from a few of their earlier reviews; needs no model and no network.",
  operands: "",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: 'one pair per line: {"id", "history": [{"title", "genres", "premise", "plot_summary", "characters", "rating", "review"}], "query": {…, "average_rating"?}}; - is standard input',
    },
    out: { type: "string", value: "FILE", help: "one prediction per line; - is standard output" },
    weights: { type: "string", value: "FILE", help: "weights from `fabula train personal` instead of those that ship" },
  },
  examples: [
    "fabula reader predict --in pairs.jsonl --out predictions.jsonl",
    "fabula reader predict --in pairs.jsonl --out - | head",
  ],
  async run({ flags, terminal }) {
    const output = requireFlag("reader predict", "out", flags.out);
    const report = await predictRatings({
      input: requireFlag("reader predict", "in", flags.in),
      output,
      ...(flags.weights !== undefined && { weights: flags.weights }),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    const summary = `${report.predicted} of ${report.pairs} ratings predicted.`;
    if (flags.json && output !== "-") terminal.print(JSON.stringify(report));
    else terminal.note(summary);
    for (const [reason, count] of Object.entries(report.unscored)) terminal.note(`  ${count} unscored: ${reason}`);
    return report.predicted < report.pairs ? 3 : 0;
  },
});
