import { join } from "node:path";
import { auditTables } from "../../../report/qa/audit-tables.ts";
import { qaAuditSheetsTask, qaAuditTask } from "../../../tasks/qa/data.ts";
import { textTable } from "../../output/table.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export default taskCommand(qaAuditTask, {
  usage:
    "Give --sheets FOLDER to write sheets for reviewers, or the reviewers' folders: `fabula qa audit --in refined.jsonl ana/ ben/`.",
  examples: [
    "fabula qa audit --in refined.jsonl --dropped dropped.jsonl --removed removed.jsonl --sheets audit/",
    "fabula qa audit --in refined.jsonl --dropped dropped.jsonl --removed removed.jsonl ana/ ben/",
  ],
  async present(report, { show }) {
    const parts = auditTables(report).map(
      ({ title, headings, rows, note }) => `${title}\n\n${textTable(headings, rows)}\n${note ? `\n${note}\n` : ""}`,
    );
    await show(() => parts.join(""));
    return 0;
  },
  others: [
    otherWay(qaAuditSheetsTask, {
      flag: "--sheets",
      when: ({ sheets }) => sheets !== undefined,
      withOperands: "Give --sheets to write sheets, or the reviewers' folders to read them: not both.",
      async present({ folder, lines }, { show }) {
        const written = Object.entries(lines).map(([file, count]) => `${join(folder, file)}: ${count} lines`);
        const advice =
          "Fill in the column “decision”; originals first, since the corrections show which samples changed.";
        await show(() => [...written, advice].join("\n"));
        return 0;
      },
    }),
  ],
});
