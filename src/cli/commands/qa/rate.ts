import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording/count-of.ts";
import { GRADING_SETTINGS } from "../../../qa/judging/grading-setting.ts";
import type { RaterAgreement } from "../../../qa/rating/rater-agreement.ts";
import { collectRatings, type RatedReport, writeRatingSheet } from "../../../workflows/qa/rate.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";

export default defineCommand({
  summary:
    "Have people rate answers blind: write a rater's sheet, or read filled-in sheets and see how far raters agree.",
  operands: "SAMPLE [SHEET...]",
  flags: {
    sheet: { type: "string", value: "FILE", help: "write a blind sheet (.csv) for one rater" },
    rater: { type: "string", value: "NAME", help: "whose sheet this is: each rater gets a different order" },
    setting: {
      type: "string",
      default: "both",
      choices: [...GRADING_SETTINGS, "both"],
      value: "SETTING",
      help: "show raters the references, the summary as well, or first one and then the other",
    },
    seed: { type: "number", default: 1, integer: true, value: "N", help: "the random seed for the order" },
    out: { type: "string", value: "FILE", help: "write the rated answers as JSONL, for `fabula qa agree`" },
  },
  examples: [
    "fabula qa rate sample.jsonl --rater ana --sheet ana.csv",
    "fabula qa rate sample.jsonl ana.csv ben.csv --out rated.jsonl",
    "fabula qa agree rated.jsonl",
  ],
  async run({ operands: [sample, ...sheets], flags, terminal }) {
    if (sample === undefined || (flags.sheet === undefined) === (sheets.length === 0)) {
      throw new FabulaError(
        "E_USAGE",
        "Give the sample, and either --rater NAME --sheet FILE to write a sheet, or the filled-in sheets: `fabula qa rate sample.jsonl ana.csv ben.csv`.",
      );
    }
    if (flags.sheet !== undefined) {
      if (flags.rater === undefined)
        throw new FabulaError("E_USAGE", "--sheet needs --rater NAME: each rater gets a different order.");
      const settings = GRADING_SETTINGS.filter((name) => flags.setting === "both" || flags.setting === name);
      const { rater, seed, sheet } = flags;
      const { lines } = await writeRatingSheet({ sample, rater, settings, seed, output: sheet });
      terminal.print(
        flags.json
          ? jsonDocument("qa-sheet", { lines })
          : `${countOf(lines, "answer")} to rate from 1 to 5 in ${sheet}.`,
      );
      return 0;
    }
    const report = await collectRatings({ sample, sheets, ...(flags.out !== undefined && { output: flags.out }) });
    if (flags.json) terminal.print(jsonDocument("qa-ratings", report));
    else if (flags.out !== "-") terminal.print(describe(report));
    return 0;
  },
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
