import { deleteProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Delete a profile from this machine, for good.",
  operands: "NAME",
  flags: { profiles: PROFILES_FLAG },
  examples: ["fabula reader profile delete ada"],
  async run({ operands, flags, terminal }) {
    const name = requireOperand("reader profile delete", "NAME", operands);
    await deleteProfile(name, profileFolder(flags.profiles));
    terminal.print(flags.json ? jsonDocument("deleted-profile", { deleted: name }) : `${name} is deleted.`);
    return 0;
  },
});
