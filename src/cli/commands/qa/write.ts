import { countBy } from "../../../core/group-by.ts";
import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { writeQuestionsTask } from "../../../tasks/qa/questions.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(writeQuestionsTask, {
  usage:
    "Give one book and a language model: `fabula qa write novel.epub --judge openai:gpt-4.1 --out questions.jsonl`.",
  examples: [
    "fabula qa write novel.epub --judge openai:gpt-4.1 --out questions.jsonl --dropped dropped.jsonl --max-cost 5",
    "fabula qa write novel.epub --judge openai:gpt-4.1 --count 60 --dry-run",
  ],
  async present(result, { input: { out }, flags: { json }, terminal, show }) {
    const { plan, document, dropped, unanswered, known, knownUnchecked, run, asked } = result;
    if (plan) return showPlan(plan, json, terminal);
    if (out !== "-")
      await show(() =>
        document.qas
          .map(
            ({ question, answers, scope }) => `${plainLine(question)}\n  ${plainLine(answers.join(" / "))} (${scope})`,
          )
          .join("\n"),
      );
    terminal.note(`${countOf(document.qas.length, "question")} of ${asked} that were asked for.`);
    for (const [reason, count] of Object.entries(countBy(dropped.map(({ reason }) => reason))))
      terminal.note(`Left out: ${count} × ${reason}.`);
    if (known > 0) terminal.note(`${countOf(known, "question")} answered from the title alone: marked "known".`);
    if (knownUnchecked > 0)
      terminal.note(`${countOf(knownUnchecked, "question")} without an answer from the title alone: "known" is null.`);
    for (const { part, reason } of unanswered) terminal.note(`Not covered: ${part}, because ${reason}.`);
    if (out !== undefined && out !== "-") terminal.note(`Wrote ${out} and ${out}.card.md`);
    terminal.note(runInWords(run));
    return unanswered.length > 0 || knownUnchecked > 0 || document.qas.length === 0 ? 3 : 0;
  },
});
