import { countOf } from "../../../core/wording.ts";
import type { RaterAgreement } from "../../../qa/rating.ts";
import { qaRateTask, qaSheetTask } from "../../../tasks/qa/answers.ts";
import type { RatedReport } from "../../../workflows/qa/rate.ts";
import { textTable } from "../../output/table.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

const USAGE =
  "Give the sample, and either --rater NAME --sheet FILE to write a sheet, or the filled-in sheets: `fabula qa rate sample.jsonl ana.csv ben.csv`.";

export default taskCommand(qaRateTask, {
  usage: USAGE,
  examples: [
    "fabula qa rate sample.jsonl --rater ana --sheet ana.csv",
    "fabula qa rate sample.jsonl ana.csv ben.csv --out rated.jsonl",
    "fabula qa agree rated.jsonl",
  ],
  async present(report, { input, show }) {
    await show(() => (input.out === "-" ? "" : describe(report)));
    return 0;
  },
  others: [
    otherWay(qaSheetTask, {
      flag: "--sheet",
      when: ({ sheet }) => sheet !== undefined,
      withOperands: USAGE,
      async present({ lines }, { input, show }) {
        await show(() => `${countOf(lines, "answer")} to rate from 1 to 5 in ${input.sheet}.`);
        return 0;
      },
    }),
  ],
});

function describe({ settings }: RatedReport): string {
  return Object.entries(settings)
    .map(([setting, agreement]) =>
      [
        `Beside the ${setting === "summary" ? "summary" : "references"}: ${countOf(agreement.rated, "answer")} rated, ${agreement.twice} by more than one rater.`,
        alphaInWords(agreement),
        textTable(
          ["rater", "answers", "mean"],
          agreement.raters.map(({ name, rated, mean }) => [name, `${rated}`, mean?.toFixed(2) ?? "–"]),
        ),
      ].join("\n"),
    )
    .join("\n\n");
}

function alphaInWords({ alpha, interval }: RaterAgreement): string {
  if (alpha.value === null) return `Krippendorff's α: undefined (${alpha.reason}).`;
  const range = interval === null ? "" : ` [${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}]`;
  return `Krippendorff's α (ordinal): ${alpha.value.toFixed(3)}${range}.`;
}
