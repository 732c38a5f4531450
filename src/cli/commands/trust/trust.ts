import { trustTask } from "../../../tasks/trust/trust.ts";
import { taskCommand } from "../../task-command.ts";

export const trustCommand = taskCommand(trustTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the report: .md or .json" },
  },
  usage: "Give one table: `fabula trust ratings.csv --human r1,r2,r3 --judge gpt,claude`.",
  common: ["human", "judge", "scores"],
  examples: [
    "fabula trust ratings.csv --human r1,r2,r3 --judge gpt,claude",
    "fabula trust stories.csv --id Story_ID --rater Worker_ID --human Coherence --judge gpt --system Model --item Prompt",
    "fabula trust rated.jsonl --human rating --judge crowd,editor",
    "fabula trust rated.csv --human rating --scores gpt.jsonl,claude.jsonl --kind genre --out trust.md",
    "fabula trust ratings.csv --human r1,r2,r3 --scores evaluations.jsonl --calibration people.json",
  ],
  async present(report, { flags: { out }, terminal, document, show }) {
    const { trustAnswer, trustNotes, trustTables, trustWarnings } = await import(
      "../../../report/agreement/trust-report.ts"
    );
    if (out !== undefined) {
      const { checkedEnding, writeReport } = await import("../../output/write-report.ts");
      const { markdownTable } = await import("../../../report/agreement/report-table.ts");
      checkedEnding(out, ["md", "json"]);
      await writeReport(out, {
        md: () =>
          [
            "# Whom to trust",
            "",
            ...trustAnswer(report),
            "",
            ...trustNotes(report),
            "",
            ...trustTables(report).flatMap(markdownTable),
            ...trustWarnings(report).map((warning) => `- ${warning}`),
            "",
          ].join("\n"),
        json: () => `${document()}\n`,
      });
      terminal.note(`Wrote ${out}`);
    }
    await show(async () => {
      const { textTable } = await import("../../output/table.ts");
      const drawn = trustTables(report).map(({ title, headings, rows, note }) =>
        [title, textTable(headings, rows), ...(note ? [note] : [])].join("\n"),
      );
      const warnings = trustWarnings(report).map((warning) => `! ${warning}`);
      const parts = [trustNotes(report).join("\n"), ...drawn, warnings.join("\n"), trustAnswer(report).join(" ")];
      return parts.filter((part) => part !== "").join("\n\n");
    });
    // A judge whose agreement does not exist is something unscored.
    return report.study.judges.some(({ spearman }) => spearman.value === null) ? 3 : 0;
  },
});
