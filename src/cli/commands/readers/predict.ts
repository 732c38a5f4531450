import { personalHtml, personalMarkdown, personalText } from "../../../report/personal/personal-report.ts";
import { readerPredictPairsTask, readerPredictTask } from "../../../tasks/readers/reader.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export default taskCommand(readerPredictTask, {
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "with --in: one prediction per line, - for standard output; with STORY: a report (.html, .md, .json)",
    },
  },
  usage: "`fabula reader predict` takes one STORY, or --in FILE. See `fabula reader predict --help`.",
  examples: [
    "fabula reader predict outline.json --as ada",
    "fabula reader predict --in pairs.jsonl --out predictions.jsonl",
    "fabula reader predict --in ten-point.jsonl --scale 10 --out predictions.jsonl",
    "fabula reader predict --in pairs.jsonl --out factorised.jsonl --baseline matrix-factorisation --ratings reviews.jsonl",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present({ prediction, view }, { flags: { out }, terminal, show }) {
    if (view && out !== undefined) {
      await writeReport(out, {
        html: () => personalHtml(view),
        md: () => personalMarkdown(view),
        json: () => `${jsonDocument("reader-prediction", view)}\n`,
      });
      terminal.note(`${out} written.`);
    }
    await show(() =>
      view ? personalText(view) : `Unscored: ${prediction.kind === "unscored" ? prediction.reason : ""}.`,
    );
    return view ? 0 : 3;
  },
  others: [
    otherWay(readerPredictPairsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give a story or --in, not both.",
      async present({ predicted, pairs, unscored }, { input, flags, terminal, document }) {
        if (flags.json && input.out !== "-") terminal.print(document());
        else terminal.note(`${predicted} of ${pairs} ratings predicted.`);
        for (const [reason, count] of Object.entries(unscored)) terminal.note(`  ${count} unscored: ${reason}`);
        return predicted < pairs ? 3 : 0;
      },
    }),
  ],
});
