import { listPrompts } from "../../../prompts/load-prompt.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "List the prompts that Fabula sends, with language and version.",
  operands: "",
  flags: {},
  examples: ["fabula prompts list"],
  async run({ flags, terminal }) {
    const prompts = (await listPrompts()).map(({ name, language, version, about, variables, hash }) => ({
      name,
      language,
      version,
      about,
      variables: Object.keys(variables),
      hash,
    }));
    if (flags.json) terminal.print(jsonDocument("prompts", { prompts }));
    else {
      const width = Math.max(...prompts.map(({ name }) => name.length));
      for (const { name, language, version, about } of prompts) {
        terminal.print(`${name.padEnd(width)}  ${language}  v${version}  ${about}`);
      }
    }
    return 0;
  },
});
