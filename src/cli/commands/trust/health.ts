import {
  type HealthReport,
  healthHtml,
  healthMarkdown,
  healthNotes,
  healthTables,
} from "../../../report/health/health-report.ts";
import { healthTask } from "../../../tasks/trust/health.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export const healthCommand = taskCommand(healthTask, {
  flags: { out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" } },
  examples: [
    "fabula health scores.jsonl --scale 0,20",
    "fabula health evaluations/ --stress stress.json",
    "fabula health evaluations/ --votes votes.jsonl",
    "fabula health evaluations/ --anchors evaluations-in-march/ --comparisons pairs.jsonl --out health.html",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present(report, { flags: { out }, terminal, document, show }) {
    if (out !== undefined) {
      await writeReport(out, {
        html: () => healthHtml(report),
        md: () => healthMarkdown(report),
        json: () => `${document()}\n`,
      });
      terminal.note(`Wrote ${out}`);
    }
    await show(() => inText(report));
    return report.judges.some(({ unscored }) => unscored > 0) ? 3 : 0;
  },
});

function inText(report: HealthReport): string {
  return [
    healthNotes(report).join("\n"),
    ...healthTables(report).map(({ title, headings, rows }) => `${title}\n${textTable(headings, rows)}`),
  ].join("\n\n");
}
