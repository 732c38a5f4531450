import { defineCommand } from "../../command.ts";
import { setTrust } from "../../config/trusted-folders.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Trust the settings file of a folder no longer: its judge, prices and store are ignored again.",
  operands: "[FOLDER]",
  flags: {},
  examples: ["fabula settings untrust ~/novels"],
  async run({ operands, flags, terminal }) {
    const file = await setTrust(operands[0] ?? ".", false, process.env);
    terminal.print(
      flags.json
        ? jsonDocument("trusted-settings", { file, trusted: false })
        : `The judge, prices and store in ${file} are ignored from now on.`,
    );
    return 0;
  },
});
