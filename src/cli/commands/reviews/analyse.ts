import { importanceHtml, importanceMarkdown, importanceNotes, importanceTables } from "../../../report/reviews.ts";
import { reviewsAnalyseTask } from "../../../tasks/reviews/reviews.ts";
import { titledTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(reviewsAnalyseTask, {
  flags: { out: { type: "string", value: "FILE", help: "a report with plots (.html), tables (.md) or data (.json)" } },
  examples: ["fabula reviews analyse --reviews reviews.jsonl.gz --books books.jsonl.gz --out importance.html"],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present(importance, { flags: { out, json }, terminal, document, show }) {
    await show(() => importanceTables(importance).map(titledTable).join("\n"));
    if (!json) for (const note of importanceNotes(importance)) terminal.note(note);
    if (out !== undefined) {
      await writeReport(out, {
        html: () => importanceHtml(importance),
        md: () => importanceMarkdown(importance),
        json: () => `${document()}\n`,
      });
      terminal.note(`Wrote ${out}.`);
    }
    return importance.all === null ? 3 : 0;
  },
});
