import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../../core/errors.ts";
import {
  listPrompts,
  loadPrompt,
  loadPromptExample,
  PROMPT_LANGUAGES,
  promptFile,
} from "../../../prompts/load-prompt.ts";
import { renderPrompt } from "../../../prompts/render-prompt.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/write-report.ts";

export const listCommand = defineCommand({
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

const valuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const languageSchema = z.enum(PROMPT_LANGUAGES);

export const showCommand = defineCommand({
  summary: "Print exactly what a prompt would send, with its own example or with your values.",
  operands: "NAME",
  flags: {
    language: {
      type: "string",
      default: "en",
      choices: PROMPT_LANGUAGES,
      value: "CODE",
      help: "language of the prompt",
    },
    values: { type: "string", value: "FILE", help: "a JSON object of values instead of the example's" },
    reply: { type: "boolean", help: "print the reply recorded with the example too" },
    template: {
      type: "boolean",
      help: "print the file itself, with its variables: a start for one of your own in --prompts FOLDER",
    },
  },
  examples: [
    "fabula prompts show judge-summary",
    "fabula prompts show judge-summary --language zh --reply",
    "fabula prompts show judge-summary --template > my-prompts/en/judge-summary.md",
  ],
  async run({ operands, flags, terminal }) {
    const [name, ...rest] = operands;
    if (!name || rest.length > 0) {
      throw new FabulaError("E_USAGE", "Name one prompt: `fabula prompts list` shows them all.");
    }
    const language = languageSchema.parse(flags.language);
    if (flags.template && !flags.json) {
      terminal.print(await promptFile(name, language));
      return 0;
    }
    const template = await loadPrompt(name, language);
    const example = await loadPromptExample(name, language);
    const values = flags.values === undefined ? example.values : await readValues(flags.values);
    const messages = renderPrompt(template, values);
    const { recorded } = example;
    if (flags.json) {
      const { version, hash } = template;
      terminal.print(
        jsonDocument("prompt", {
          name,
          language,
          version,
          hash,
          messages,
          reply: example.reply,
          recorded,
          ...(flags.template && { template: await promptFile(name, language) }),
        }),
      );
      return 0;
    }
    for (const { role, content } of messages) terminal.print(`── ${role} ──\n${content}\n`);
    if (flags.reply) {
      const origin = `recorded from the ${recorded.server} server, model ${recorded.model}, on ${recorded.material}`;
      terminal.print(`── reply, ${origin} ──\n${example.reply}`);
    }
    return 0;
  },
});

async function readValues(path: string): Promise<z.infer<typeof valuesSchema>> {
  try {
    return valuesSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new FabulaError("E_PROMPT_VALUES", `"${path}" is not a JSON object of texts and numbers: correct it.`, {
      cause,
    });
  }
}
