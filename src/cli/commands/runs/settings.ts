import { defineCommand } from "../../command.ts";
import { setTrust } from "../../config/config-file.ts";
import { jsonDocument } from "../../output/json-document.ts";

export const settingsTrustCommand = defineCommand({
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

export const settingsUntrustCommand = defineCommand({
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
