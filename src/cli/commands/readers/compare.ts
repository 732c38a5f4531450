import { FabulaError } from "../../../core/errors.ts";
import { readStoryFile } from "../../../workflows/books/reading/read-story.ts";
import { compareEmbedded, compareForReader } from "../../../workflows/readers/compare.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { historyFlag, READER_FLAGS } from "../../flags/reader-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { embeddedPreferenceInWords, preferenceInWords } from "../../output/preference-wording.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { showFreePlan } from "../../plan-embedded.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { runServices } from "../../run-services.ts";

const EMBEDDED = "embedded";

export default defineCommand({
  summary:
    "Which of two stories one reader would prefer: on five aspects by a model, or overall by the embedded predictor.",
  operands: "STORY STORY",
  flags: {
    judge: {
      type: "string",
      default: EMBEDDED,
      value: "MODEL",
      help: "openai:MODEL, MODEL@http://host/v1, …; embedded needs no model",
    },
    k: historyFlag(1),
    runs: {
      type: "number",
      default: 1,
      integer: true,
      minimum: 1,
      maximum: 50,
      value: "N",
      help: "number of runs; each run asks in both orders",
    },
    ...READER_FLAGS,
    profiles: PROFILES_FLAG,
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reader compare first.json second.json --as ada",
    "fabula reader compare first.md second.md --as ada --judge openai:gpt-4.1 --runs 3",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length !== 2) {
      throw new FabulaError(
        "E_USAGE",
        "`fabula reader compare` takes two stories. See `fabula reader compare --help`.",
      );
    }
    const profile = await openProfile(requireFlag("reader compare", "as", flags.as), profileFolder(flags.profiles));
    const [left, right] = [await readStoryFile(operands[0]!), await readStoryFile(operands[1]!)];
    if (flags.judge === EMBEDDED) {
      if (flags["dry-run"]) return showFreePlan("predict one rating for each story", { json: flags.json, terminal });
      const predictions = compareEmbedded(profile, left, right);
      terminal.print(
        flags.json
          ? jsonDocument("reader-comparison", { reader: profile.name, judge: EMBEDDED, ...predictions })
          : embeddedPreferenceInWords(predictions),
      );
      return predictions.left.kind === "predicted" && predictions.right.kind === "predicted" ? 0 : 3;
    }
    const outcome = await compareForReader({
      left,
      right,
      profile,
      judge: flags.judge,
      count: flags.k,
      withWords: !flags["stars-only"],
      runs: flags.runs,
      temperature: flags.temperature,
      settings: runSettings(flags),
      services: runServices(terminal, signal),
    });
    return showOutcome(outcome, flags.json, terminal, (result) => ({
      kind: "reader-comparison",
      document: { reader: profile.name, judge: flags.judge, ...result },
      lines: [preferenceInWords(result)],
      isWhole: result.failures.length === 0,
    }));
  },
});
