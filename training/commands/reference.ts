import { writeFile } from "node:fs/promises";
import { defineCommand } from "../../src/cli/command.ts";
import { FabulaError } from "../../src/core/errors.ts";
import { buildReference } from "../reference/build-reference.ts";

export default defineCommand({
  summary: "Score novels with the pocket judge as the population that percentiles refer to; keeps scores, never texts",
  operands: "FILE...",
  flags: {
    out: { type: "string", value: "FILE", help: "the population's file" },
    id: { type: "string", value: "ID", help: "its name", default: "english-public-domain" },
    description: {
      type: "string",
      value: "TEXT",
      help: "its description in reports",
      default: "published novels in English, in the public domain, from Standard Ebooks",
    },
  },
  examples: ["npm run train -- reference --out english-public-domain.json novels/*.epub"],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0)
      throw new FabulaError("E_USAGE", "Name the novels: `npm run train -- reference FILE...`.");
    const { reference, skipped } = await buildReference({
      files: operands,
      id: flags.id,
      description: flags.description,
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    for (const { file, reason } of skipped) terminal.note(`${file}: left out, ${reason}`);
    const text = `${JSON.stringify(reference, null, 1)}\n`;
    if (flags.out !== undefined) await writeFile(flags.out, text);
    if (flags.json || flags.out === undefined) terminal.print(text);
    else terminal.print(`${reference.books.length} novels scored: ${flags.out}`);
    return skipped.length > 0 ? 3 : 0;
  },
});
