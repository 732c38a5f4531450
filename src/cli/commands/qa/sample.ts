import { countOf } from "../../../core/wording.ts";
import { qaSampleTask } from "../../../tasks/qa/answers.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaSampleTask, {
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
