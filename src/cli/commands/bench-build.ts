import { FabulaError } from "../../core/errors.ts";
import { buildFromTexts } from "../../workflows/bench-build.ts";
import { inRunIfNeeded, scorerNamed } from "../../workflows/bench-scorer.ts";
import { chosenChapters } from "../../workflows/bench-writers.ts";
import { defineCommand } from "../command.ts";
import { MODEL_FLAGS, runSettings } from "../model-flags.ts";
import { runInWords } from "../run-wording.ts";
import { showPlan } from "../show-plan.ts";

export default defineCommand({
  summary: "Scores the chosen chapters and makes a reference population that texts can be placed on.",
  operands: "FOLDER",
  flags: {
    judge: { type: "string", value: "NAME", default: "pocket", help: "who scores: pocket, or a language model" },
    rubric: {
      type: "string",
      value: "NAME|FILE",
      default: "novel-bench-en",
      help: "the dimensions a language model scores",
    },
    repeats: {
      type: "number",
      value: "N",
      default: 1,
      minimum: 1,
      maximum: 100,
      integer: true,
      help: "scores per chapter; 11 shows how steady the judge is",
    },
    id: { type: "string", value: "NAME", help: "the population's name; the folder's by default" },
    description: { type: "string", value: "TEXT", default: "", help: "what kind of novels they are, for reports" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula bench build bench/ --description 'English public-domain novels'",
    "fabula bench build bench/ --judge openai:gpt-4o --repeats 11 --dry-run",
  ],
  async run({ operands, flags, terminal, signal }) {
    const folder = operands[0];
    if (!folder) throw new FabulaError("E_USAGE", "Give the benchmark's folder: `fabula bench build bench/`.");
    const chapters = await chosenChapters(folder);
    const { result, plan, run } = await inRunIfNeeded(
      flags.judge !== "pocket",
      runSettings(flags),
      { signal },
      async (opened) =>
        buildFromTexts(chapters, await scorerNamed(flags.judge, flags.rubric, opened), {
          folder,
          id: flags.id ?? folder.replace(/\/+$/, ""),
          description: flags.description,
          repeats: flags.repeats,
          concurrency: opened?.concurrency ?? 1,
          dryRun: opened?.dryRun ?? false,
          onProgress: terminal.progress,
          signal,
        }),
    );
    terminal.endProgress();
    if (plan || !result) {
      if (plan) showPlan(plan, flags.json, terminal);
      return 0;
    }
    const { population, excluded, unscored, repeatability, file } = result;
    const steadiest = Math.max(0, ...repeatability.map((row) => row.interquartileRange));
    const summary = {
      file,
      id: population.id,
      judge: population.judge,
      novels: population.corpus.novels,
      excluded,
      unscoredChapters: unscored,
      dimensions: population.dimensions,
      weights: population.weights,
      explainedVariance: population.explainedVariance,
      largestInterquartileRange: repeatability.length === 0 ? null : steadiest,
      warnings: population.warnings,
    };
    if (flags.json) terminal.print(JSON.stringify(summary, null, 2));
    else {
      terminal.print(
        `${population.corpus.novels} novels placed, ${excluded.length} excluded, ${unscored} chapters unscored: ${file}`,
      );
      population.dimensions.forEach((dimension, index) => {
        terminal.print(`  ${dimension.padEnd(32)} ${(population.weights[index]! * 100).toFixed(1).padStart(5)} %`);
      });
      terminal.print(
        `The first component explains ${(population.explainedVariance[0]! * 100).toFixed(1)} % of the variance.`,
      );
      if (repeatability.length > 0)
        terminal.print(`Largest interquartile range over repeats: ${steadiest.toFixed(3)}.`);
      for (const warning of population.warnings) terminal.note(`Warning: ${warning}`);
      for (const { novel, reason } of excluded.slice(0, 10)) terminal.note(`Excluded ${novel}: ${reason}`);
    }
    if (run) terminal.note(runInWords(run));
    return excluded.length + unscored > 0 ? 3 : 0;
  },
});
