import { FabulaError } from "../../../core/errors.ts";
import { BASELINES } from "../../../reader/baselines/baseline-predictor.ts";
import { personalHtml, personalMarkdown, personalText } from "../../../report/personal/personal-report.ts";
import { readStoryFile } from "../../../workflows/books/reading/read-story.ts";
import { predictForProfile, predictRatings } from "../../../workflows/readers/predict.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand, type ExitCode } from "../../command.ts";
import { RATINGS_SCALE_FLAG } from "../../flags/reader-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Predict how readers will rate stories, from a few of their earlier reviews; needs no model and no network.",
  operands: "[STORY]",
  flags: {
    as: {
      type: "string",
      value: "PROFILE",
      help: "with STORY: the reader, a profile's name or a profile in a .json file",
    },
    in: {
      type: "string",
      value: "FILE",
      help: 'many at once, one pair per line: {"id", "history": [{"title", "genres", "premise", "plot_summary", "characters", "rating", "review"}], "query": {…, "average_rating"?}}; - is standard input',
    },
    out: {
      type: "string",
      value: "FILE",
      help: "with --in: one prediction per line, - for standard output; with STORY: a report (.html, .md, .json)",
    },
    scale: RATINGS_SCALE_FLAG,
    weights: {
      type: "string",
      value: "FILE",
      help: "weights from `npm run train -- personal` instead of those that ship",
    },
    baseline: {
      type: "string",
      choices: BASELINES,
      value: "NAME",
      help: "with --in: predict with a simple baseline instead, for comparison; matrix-factorisation also takes --ratings",
    },
    ratings: {
      type: "string",
      value: "FILE",
      help: "other readers' ratings of the same books, one per line: book (its id or title), reviewer, rating",
    },
    profiles: PROFILES_FLAG,
  },
  examples: [
    "fabula reader predict outline.json --as ada",
    "fabula reader predict --in pairs.jsonl --out predictions.jsonl",
    "fabula reader predict --in ten-point.jsonl --scale 10 --out predictions.jsonl",
    "fabula reader predict --in pairs.jsonl --out factorised.jsonl --baseline matrix-factorisation --ratings reviews.jsonl",
  ],
  async run({ operands, flags, terminal }): Promise<ExitCode> {
    if (flags.in === undefined) {
      if (flags.baseline !== undefined || flags.ratings !== undefined)
        throw new FabulaError(
          "E_USAGE",
          "--baseline and --ratings go with many pairs at once: give them with --in FILE.",
        );
      if (flags.out !== undefined) checkedEnding(flags.out, ["html", "md", "json"]);
      const story = await readStoryFile(requireOperand("reader predict", "STORY, or --in FILE", operands));
      const name = requireFlag("reader predict", "as", flags.as);
      const profile = await openProfile(name, profileFolder(flags.profiles));
      const { prediction, view } = predictForProfile(profile, story, flags.weights);
      if (view && flags.out !== undefined) {
        await writeReport(flags.out, {
          html: () => personalHtml(view),
          md: () => personalMarkdown(view),
          json: () => `${jsonDocument("reader-prediction", view)}\n`,
        });
        terminal.note(`${flags.out} written.`);
      }
      if (flags.json)
        terminal.print(
          jsonDocument("reader-prediction", { reader: profile.name, ...prediction, general: view?.general ?? null }),
        );
      else
        terminal.print(
          view ? personalText(view) : `Unscored: ${prediction.kind === "unscored" ? prediction.reason : ""}.`,
        );
      return view ? 0 : 3;
    }
    const output = requireFlag("reader predict", "out", flags.out);
    const baseline = BASELINES.find((name) => name === flags.baseline);
    const report = await predictRatings({
      input: flags.in,
      output,
      ...(flags.weights !== undefined && { weights: flags.weights }),
      ...(baseline !== undefined && { baseline }),
      ...(flags.ratings !== undefined && { ratings: flags.ratings }),
      ...(flags.scale !== undefined && { scale: flags.scale }),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (flags.json && output !== "-") terminal.print(jsonDocument("predicted-ratings", report));
    else terminal.note(`${report.predicted} of ${report.pairs} ratings predicted.`);
    for (const [reason, count] of Object.entries(report.unscored)) terminal.note(`  ${count} unscored: ${reason}`);
    return report.predicted < report.pairs ? 3 : 0;
  },
});
