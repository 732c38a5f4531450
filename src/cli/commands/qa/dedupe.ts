import { countOf } from "../../../core/wording/count-of.ts";
import { dedupeQuestions } from "../../../workflows/qa/dedupe.ts";
import { defineCommand } from "../../command.ts";
import { QUESTION_FLAGS } from "../../flags/question-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Find and remove near-identical questions about the same book.",
  operands: "",
  flags: {
    ...QUESTION_FLAGS,
    threshold: {
      type: "number",
      default: 0.9,
      minimum: 0,
      maximum: 1,
      value: "ROUGE-L",
      help: "how similar two questions must be to count as duplicates",
    },
    out: { type: "string", value: "FILE", help: "write the books without the duplicates" },
    review: { type: "string", value: "FILE", help: "write every pair found, with a decision that a person may change" },
    decisions: { type: "string", value: "FILE", help: "apply the decisions of such a file" },
  },
  examples: [
    "fabula qa dedupe --in test.jsonl --review pairs.jsonl",
    "fabula qa dedupe --in test.jsonl --decisions pairs.jsonl --out unique.jsonl",
  ],
  async run({ flags, terminal }) {
    const report = await dedupeQuestions({
      input: requireFlag("qa dedupe", "in", flags.in),
      threshold: flags.threshold,
      ...(flags.split !== undefined && { split: flags.split }),
      ...(flags.decisions !== undefined && { decisions: flags.decisions }),
      ...(flags.review !== undefined && { review: flags.review }),
      ...(flags.out !== undefined && { output: flags.out }),
    });
    if (flags.json) terminal.print(jsonDocument("qa-dedupe", report));
    else if (flags.out !== "-" && flags.review !== "-") {
      for (const pair of report.duplicates) {
        terminal.print(
          `${pair.decision === "remove" ? "remove" : "keep  "}  ${pair.similarity.toFixed(2)}  ${pair.title}\n` +
            `          ${pair.kept}\n          ${pair.duplicate}`,
        );
      }
      terminal.print(
        `${countOf(report.removed, "duplicate question")} removed, ${countOf(report.doubtful, "pair")} kept because their answers disagree; ` +
          `${report.questions} questions about ${report.documents} books remain.`,
      );
    }
    return 0;
  },
});
