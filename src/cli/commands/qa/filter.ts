import { qaFilterTask } from "../../../tasks/qa/data.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaFilterTask, {
  examples: [
    "fabula qa filter --in narrativeqa/ --split test --texts books/ --out filtered.jsonl --review removed.jsonl",
    "fabula qa filter --in narrativeqa/ --split test --decisions removed.jsonl --out filtered.jsonl",
  ],
  async present({ result, run, plan }, { input, flags, terminal, show }) {
    if (plan) return showPlan(plan, flags.json, terminal);
    const { removed, documents, questions, unjudged } = result;
    await show(() => {
      if (input.out === "-" || input.review === "-") return "";
      const lines = removed.flatMap(({ title, reason, evidence, by, decision }) => [
        `${decision}  ${title}: ${reason} (${by})`,
        ...evidence.map((line) => `        ${line.replace(/\s+/g, " ")}`),
      ]);
      const open = unjudged.slice(0, 5).map(({ document_id, reason }) => `  ${document_id}: ${reason}`);
      return [
        ...lines,
        `${documents} books with ${questions} questions stay.`,
        ...(open.length > 0 ? [`${unjudged.length} books were kept without a check, such as:`, ...open] : []),
      ].join("\n");
    });
    if (run) terminal.note(runInWords(run));
    return unjudged.length > 0 ? 3 : 0;
  },
});
