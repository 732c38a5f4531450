import { reviewHtml, reviewMarkdown, reviewTables } from "../../../report/reviews.ts";
import { reviewsReportTask } from "../../../tasks/reviews/reviews.ts";
import { titledTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(reviewsReportTask, {
  flags: { out: { type: "string", value: "FILE", help: "a report with plots (.html), tables (.md) or data (.json)" } },
  examples: ["fabula reviews report --reviews reviews.jsonl.gz --books books.jsonl.gz --out reviews.html"],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present(findings, { flags: { out }, terminal, document, show }) {
    await show(() => reviewTables(findings).map(titledTable).join("\n"));
    if (out !== undefined) {
      await writeReport(out, {
        html: () => reviewHtml(findings),
        md: () => reviewMarkdown(findings),
        json: () => `${document()}\n`,
      });
      terminal.note(`Wrote ${out}.`);
    }
    return 0;
  },
});
