import { FabulaError } from "../../../core/errors.ts";
import { writeWholeFile } from "../../../core/files.ts";
import { judgeInWords } from "../../../core/wording.ts";
import { buildPopulation, buildReference } from "../../../tasks/books/population.ts";
import { defineCommand, requireFlag } from "../../command.ts";
import { jsonDocument } from "../../output/write-report.ts";

export const populationBuildCommand = defineCommand({
  summary:
    "Build something to compare with: from novels, reference figures for manuscripts (`--reference`); from evaluations by one language model, a population for its percentiles (`--population`).",
  operands: "NOVEL...",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: "instead of novels: evaluations as `fabula evaluate --out` wrote them, .jsonl or a folder",
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
    "fabula population build novels/*.epub --out my-novels.json --description '24 thrillers of 2015 to 2024'",
    "fabula evaluate draft.docx --reference my-novels.json --out report.html",
    "fabula evaluate novels/*.epub --judge openai:gpt-4.1 --out evaluations.jsonl",
    "fabula population build --in evaluations.jsonl --out population.json --description 'novels of 2024'",
    "fabula evaluate draft.docx --judge openai:gpt-4.1 --population population.json",
  ],
  async run({ operands, flags, terminal, signal }) {
    const { id, description } = flags;
    if (operands.length > 0) {
      if (flags.in !== undefined) throw new FabulaError("E_USAGE", "Give novels or --in, not both.");
      const reference = await buildReference({
        files: operands,
        id,
        description,
        onProgress: terminal.progress,
        signal,
      });
      terminal.endProgress();
      const text = `${jsonDocument("reference", reference)}\n`;
      if (flags.out !== undefined) await writeWholeFile(flags.out, text);
      if (flags.json || flags.out === undefined) terminal.print(text);
      else terminal.print(`${reference.novels.length} novels mapped: ${flags.out}`);
      return 0;
    }
    const { population, unscored } = await buildPopulation({
      input: requireFlag("population build", "in", flags.in),
      id,
      description,
    });
    const text = `${jsonDocument("population", population)}\n`;
    if (flags.out !== undefined) await writeWholeFile(flags.out, text);
    if (flags.json || flags.out === undefined) terminal.print(text);
    else terminal.print(`${population.books.length} books scored by ${judgeInWords(population.judge)}: ${flags.out}`);
    for (const title of unscored) terminal.note(`Left out, since it has no overall score: ${title}`);
    return unscored.length > 0 ? 3 : 0;
  },
});
