import { listProfiles } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "List the reader profiles kept on this machine.",
  operands: "",
  flags: { profiles: PROFILES_FLAG },
  examples: ["fabula reader profile list"],
  async run({ flags, terminal }) {
    const profiles = await listProfiles(profileFolder(flags.profiles));
    const rows = profiles.map(({ name, language, reviews }) => ({
      name,
      language,
      reviews: reviews.length,
      withWords: reviews.filter(({ review }) => review).length,
    }));
    if (flags.json) terminal.print(jsonDocument("profiles", { profiles: rows }));
    else if (rows.length === 0)
      terminal.print("No profiles yet: `fabula reader profile import NAME --in FILE` makes one.");
    else
      terminal.print(
        textTable(
          ["name", "language", "reviews", "with words"],
          rows.map((row) => [row.name, row.language, `${row.reviews}`, `${row.withWords}`]),
        ),
      );
    return 0;
  },
});
