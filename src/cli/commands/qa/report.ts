import { qaReportTask } from "../../../tasks/qa/data.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaReportTask, {
  usage: "Give the file: `fabula qa report refined.jsonl`.",
  examples: ["fabula qa report refined.jsonl"],
  async present({ steps }, { show }) {
    const rows = steps.map(({ kind, reason, documents, questions }) =>
      kind === "removed"
        ? [`  – ${reason}`, signed(documents), signed(questions)]
        : [reason, `${documents}`, `${questions}`],
    );
    await show(() => textTable(["step", "books", "questions"], rows));
    return 0;
  },
});

function signed(difference: number): string {
  return difference === 0 ? "-" : `−${Math.abs(difference)}`;
}
