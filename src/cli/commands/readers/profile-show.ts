import { describeProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Shows what a profile says about its reader: mean, spread, genres, characteristic words.",
  operands: "NAME",
  flags: { profiles: PROFILES_FLAG },
  examples: ["fabula reader profile show ada"],
  async run({ operands, flags, terminal }) {
    const name = requireOperand("reader profile show", "NAME", operands);
    const description = await describeProfile(name, profileFolder(flags.profiles));
    if (flags.json) {
      terminal.print(jsonDocument("profile", description));
      return 0;
    }
    const { reviews, withWords, meanRating, generosity, genres } = description;
    terminal.print(
      [
        `${name}: ${reviews} reviews, ${withWords} with words.`,
        meanRating === null ? "No ratings." : `Mean rating ${meanRating.toFixed(2)} of 5.`,
        generosity === null
          ? "Nothing to tell a generous from an exacting reader by."
          : `Beside what readers in general give the same stories: ${generosity >= 0 ? "+" : "−"}${Math.abs(generosity).toFixed(2)} stars.`,
        ...genres.map(({ genre, count, mean }) => `  ${genre}: ${count} rated, mean ${mean.toFixed(2)}`),
      ].join("\n"),
    );
    return 0;
  },
});
