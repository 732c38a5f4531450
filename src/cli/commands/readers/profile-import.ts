import { countOf } from "../../../core/wording.ts";
import { describeProfile, importProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { profileInWords } from "../../output/profile-wording.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Make a reader's profile from earlier reviews, or add to it: Goodreads or StoryGraph export, CSV, JSONL.",
  operands: "NAME",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: "a library export, or rows with title, genres, premise, plot_summary, characters, rating, review, date",
    },
    scale: {
      type: "number",
      integer: true,
      minimum: 2,
      maximum: 100,
      value: "N",
      help: "the highest rating of the file's scale [5]; exports know their own",
    },
    comparisons: {
      type: "string",
      value: "FILE",
      help: 'earlier choices between two stories, one per line: {"left": {…}, "right": {…}, "preferred": {"ending": "left", "overall": "right"}}',
    },
    language: { type: "string", value: "CODE", help: "the language reviews for this reader are written in [en]" },
    profiles: PROFILES_FLAG,
  },
  examples: [
    "fabula reader profile import ada --in goodreads_library_export.csv",
    "fabula reader profile import ada --in reviews.jsonl --scale 10 --language zh",
  ],
  async run({ operands, flags, terminal }) {
    const report = await importProfile({
      name: requireOperand("reader profile import", "NAME", operands),
      input: requireFlag("reader profile import", "in", flags.in),
      folder: profileFolder(flags.profiles),
      ...(flags.scale !== undefined && { scale: flags.scale }),
      ...(flags.comparisons !== undefined && { comparisons: flags.comparisons }),
      ...(flags.language !== undefined && { language: flags.language }),
    });
    const { name, source, imported, without, repeats, reviews, toRead, comparisons } = report;
    if (flags.json) terminal.print(jsonDocument("imported-profile", report));
    else {
      terminal.print(
        `${countOf(imported, "review")} read from ${source}, ${countOf(without, "row")} without stars or words left out, ${countOf(repeats, "repeat")} joined; the profile holds ${reviews}${toRead > 0 ? ` and a shelf of ${toRead} to read` : ""}${comparisons > 0 ? ` and ${countOf(comparisons, "choice")} between two stories` : ""}.`,
      );
      terminal.print(profileInWords(await describeProfile(name, profileFolder(flags.profiles))));
    }
    return 0;
  },
});
