import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording/count-of.ts";
import { sampleAnswers } from "../../../workflows/qa/sample.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Draw questions for people to rate, from each book in proportion, with every system's answer.",
  operands: "FILE...",
  flags: {
    n: { type: "number", default: 500, minimum: 1, integer: true, value: "N", help: "how many questions" },
    seed: {
      type: "number",
      default: 1,
      integer: true,
      value: "S",
      help: "the same seed draws the same questions",
    },
    data: { type: "string", value: "FILE", help: "the books with their summaries, for raters who see the summary" },
    out: { type: "string", value: "FILE", help: "write the sample as JSONL, for `fabula qa rate`" },
  },
  examples: ["fabula qa sample llama.jsonl qwen.jsonl glm.jsonl --n 500 --seed 1 --data test.jsonl --out sample.jsonl"],
  async run({ operands, flags, terminal }) {
    if (operands.length === 0) {
      throw new FabulaError("E_USAGE", "Give files of answers: `fabula qa sample a.jsonl b.jsonl --out sample.jsonl`.");
    }
    const report = await sampleAnswers({
      inputs: operands,
      count: flags.n,
      seed: flags.seed,
      output: requireFlag("qa sample", "out", flags.out),
      ...(flags.data !== undefined && { data: flags.data }),
    });
    if (flags.json) terminal.print(jsonDocument("qa-sample", report));
    else if (flags.out !== "-") {
      const { questions, ofQuestions, books, systems, answers, withoutSummary } = report;
      terminal.print(
        `${questions} of ${countOf(ofQuestions, "question")} about ${countOf(books, "book")}, ${countOf(answers, "answer")} of ${countOf(systems, "system")}.`,
      );
      if (withoutSummary > 0)
        terminal.note(`${countOf(withoutSummary, "answer")} without a summary: give the books with --data.`);
    }
    return 0;
  },
});
