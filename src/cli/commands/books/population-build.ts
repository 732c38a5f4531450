import { writeWholeFile } from "../../../core/files/write-whole-file.ts";
import { buildPopulation } from "../../../workflows/books/population.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary:
    "Make a population from evaluations of a collection by one judge, for the percentiles of `evaluate --population`",
  operands: "",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: "evaluations as `fabula evaluate --out` wrote them: .jsonl or a folder",
    },
    out: { type: "string", value: "FILE", help: "the population's file [standard output]" },
    id: { type: "string", value: "ID", help: "its name", default: "collection" },
    description: {
      type: "string",
      value: "TEXT",
      help: "its description in reports",
      default: "a collection of your own",
    },
  },
  examples: [
    "fabula evaluate --in books.jsonl --judge openai:gpt-4.1 --out evaluations.jsonl",
    "fabula population build --in evaluations.jsonl --out population.json --description 'novels of 2024'",
    "fabula evaluate draft.docx --judge openai:gpt-4.1 --population population.json",
  ],
  async run({ flags, terminal }) {
    const { population, unscored } = await buildPopulation({
      input: requireFlag("population build", "in", flags.in),
      id: flags.id,
      description: flags.description,
    });
    const text = `${jsonDocument("population", population)}\n`;
    if (flags.out !== undefined) await writeWholeFile(flags.out, text);
    if (flags.json || flags.out === undefined) terminal.print(text);
    else terminal.print(`${population.books.length} books scored by ${population.judge}: ${flags.out}`);
    for (const title of unscored) terminal.note(`Left out, since it has no overall score: ${title}`);
    return unscored.length > 0 ? 3 : 0;
  },
});
