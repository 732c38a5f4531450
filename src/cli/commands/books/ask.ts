import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { askTask } from "../../../tasks/books/story.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const askCommand = taskCommand(askTask, {
  usage:
    'Give one book and a question in quotation marks: `fabula ask novel.epub "Who hid the key?" --judge openai:gpt-4.1`.',
  examples: [
    'fabula ask novel.epub "When does Voss learn of the damper?" --judge openai:gpt-4.1',
    'fabula ask novel.epub "Who knows that the will was forged?" --judge anthropic:claude-sonnet-4-5 --json',
  ],
  async present({ plan, answer, reason, run }, { flags: { json }, terminal, show }) {
    if (plan) return showPlan(plan, json, terminal);
    await show(() => {
      if (!answer) return `No answer: ${reason}.`;
      if (answer.isUnsupported) return "No answer: what the model quotes for it does not stand in the book.";
      return [
        answer.said ? plainLine(answer.answer) : `The book does not say. ${plainLine(answer.answer)}`.trim(),
        ...answer.passages.map(({ chapter, quote }) => `  Chapter ${chapter}: “${plainLine(quote)}”`),
      ].join("\n");
    });
    if (answer?.shown === "parts")
      terminal.note("The book does not fit the model: it was shown the parts that share the question's words.");
    if (answer && answer.quotationsMissing > 0)
      terminal.note(`Left out: ${countOf(answer.quotationsMissing, "quotation")} not in the book.`);
    terminal.note(runInWords(run));
    return answer && !answer.isUnsupported ? 0 : 3;
  },
});
