import { defineCommand } from "../../command.ts";
import { setTrust } from "../../config/trusted-folders.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary:
    "Trust the settings file of a folder: its judge, prices and store then count, which until then only come from flags, the environment and your own settings.",
  operands: "[FOLDER]",
  flags: {},
  examples: ["fabula settings trust", "fabula settings trust ~/novels"],
  async run({ operands, flags, terminal }) {
    const file = await setTrust(operands[0] ?? ".", true, process.env);
    terminal.print(
      flags.json ? jsonDocument("trusted-settings", { file, trusted: true }) : `${file} counts in full from now on.`,
    );
    return 0;
  },
});
