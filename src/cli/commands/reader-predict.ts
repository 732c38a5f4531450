import type { PersonalPrediction } from "../../reader/personal/predictor/predict-rating.ts";
import { readStoryFile } from "../../workflows/read-story.ts";
import { predictForProfile, predictRatings } from "../../workflows/reader-predict.ts";
import { openProfile } from "../../workflows/reader-profiles.ts";
import { defineCommand, type ExitCode } from "../command.ts";
import { PROFILES_FLAG, profileFolder } from "../profile-folder.ts";
import { requireFlag } from "../require-flag.ts";
import { requireOperand } from "../require-operand.ts";

export default defineCommand({
  summary:
    "Predict what readers will give stories, from a few of their earlier reviews; needs no model and no network.",
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
    out: { type: "string", value: "FILE", help: "with --in: one prediction per line; - is standard output" },
    weights: { type: "string", value: "FILE", help: "weights from `fabula train personal` instead of those that ship" },
    profiles: PROFILES_FLAG,
  },
  examples: [
    "fabula reader predict outline.json --as ada",
    "fabula reader predict --in pairs.jsonl --out predictions.jsonl",
  ],
  async run({ operands, flags, terminal }): Promise<ExitCode> {
    const weights = flags.weights === undefined ? {} : { weights: flags.weights };
    if (flags.in === undefined) {
      const story = await readStoryFile(requireOperand("reader predict", "STORY, or --in FILE", operands));
      const name = requireFlag("reader predict", "as", flags.as);
      const profile = await openProfile(name, profileFolder(flags.profiles));
      const prediction = predictForProfile(profile, story, flags.weights);
      terminal.print(flags.json ? JSON.stringify({ reader: profile.name, ...prediction }) : inWords(prediction));
      return prediction.kind === "predicted" ? 0 : 3;
    }
    const output = requireFlag("reader predict", "out", flags.out);
    const report = await predictRatings({ input: flags.in, output, ...weights, onProgress: terminal.progress });
    terminal.endProgress();
    if (flags.json && output !== "-") terminal.print(JSON.stringify(report));
    else terminal.note(`${report.predicted} of ${report.pairs} ratings predicted.`);
    for (const [reason, count] of Object.entries(report.unscored)) terminal.note(`  ${count} unscored: ${reason}`);
    return report.predicted < report.pairs ? 3 : 0;
  },
});

function inWords(prediction: PersonalPrediction): string {
  if (prediction.kind === "unscored") return `Unscored: ${prediction.reason}.`;
  const { rating, interval, start, why, notes } = prediction;
  const signed = (effect: number) => `${effect >= 0 ? "+" : "−"}${Math.abs(effect).toFixed(2)}`;
  return [
    `${rating.toFixed(2)} of 5, four times in five between ${interval[0].toFixed(1)} and ${interval[1].toFixed(1)}`,
    ...notes,
    "",
    ` ${start.toFixed(2)}  where a middling reader and a middling story begin`,
    ...why.slice(0, 12).map(({ effect, title, text }) => `${signed(effect)}  ${title ? `${title}: ` : ""}${text}`),
  ].join("\n");
}
