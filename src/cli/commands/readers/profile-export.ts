import { countOf } from "../../../core/wording.ts";
import { exportProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Write a profile's reviews as JSONL.",
  operands: "NAME",
  flags: {
    out: { type: "string", value: "FILE", default: "-", help: "the file to write; - is standard output" },
    profiles: PROFILES_FLAG,
  },
  examples: ["fabula reader profile export ada --out ada.jsonl"],
  async run({ operands, flags, terminal }) {
    const name = requireOperand("reader profile export", "NAME", operands);
    const reviews = await exportProfile(name, profileFolder(flags.profiles), flags.out);
    if (flags.json && flags.out !== "-")
      terminal.print(jsonDocument("exported-profile", { name, reviews, file: flags.out }));
    else terminal.note(`${countOf(reviews, "review")} of ${name} written.`);
    return 0;
  },
});
