import { describeProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { profileInWords } from "../../output/profile-wording.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Show what a reader rewards and punishes compared with others, with the reviews behind it.",
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
    terminal.print(profileInWords(description));
    return 0;
  },
});
