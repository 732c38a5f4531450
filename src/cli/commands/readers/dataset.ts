import { costFields } from "../../../core/cost.ts";
import { buildReaderDataset } from "../../../workflows/readers/dataset.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary:
    "Build conversations to tune a personal judge on: unrecognisable stories, histories drawn by reader, split by reader.",
  operands: "",
  flags: {
    stories: { type: "string", value: "FILE", help: "JSONL: id, title, genres, premise, plot_summary, characters" },
    reviews: {
      type: "string",
      value: "FILE",
      help: "JSONL: book, reviewer, rating (1–5), and review, or aspects and conclusion",
    },
    out: { type: "string", value: "FOLDER", help: "where train.jsonl, validation.jsonl and names.jsonl go" },
    model: {
      type: "string",
      value: "MODEL",
      help: "makes new names and retells the plots; without it the stories stay as they are",
    },
    language: { type: "string", default: "en", value: "CODE", help: "the language of the stories" },
    k: { type: "number", default: 3, integer: true, minimum: 0, maximum: 50, value: "N", help: "reviews per history" },
    samples: {
      type: "number",
      default: 10,
      integer: true,
      minimum: 1,
      maximum: 1000,
      value: "N",
      help: "histories drawn per reader",
    },
    "minimum-reviews": {
      type: "number",
      default: 6,
      integer: true,
      minimum: 1,
      value: "N",
      help: "readers with fewer are dropped",
    },
    validation: {
      type: "number",
      default: 0.06,
      minimum: 0,
      maximum: 0.9,
      value: "SHARE",
      help: "share of readers kept for validation",
    },
    "max-words": {
      type: "number",
      integer: true,
      minimum: 200,
      value: "N",
      help: "longest prompt: histories are shortened to fit; without it every history keeps its --k reviews",
    },
    scale: { type: "string", default: "10", choices: ["5", "10"], value: "N", help: "scores from 1 to this" },
    seed: {
      type: "number",
      default: 1,
      integer: true,
      minimum: 0,
      value: "N",
      help: "the same seed draws the same histories",
    },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reader dataset --stories stories.jsonl --reviews reviews.jsonl --model openai:gpt-4.1-mini --out tuning/ --max-cost 10",
    "fabula reader dataset --stories stories.jsonl --reviews reviews.jsonl --out tuning/ --k 5",
  ],
  async run({ flags, terminal, signal }) {
    const folder = requireFlag("reader dataset", "out", flags.out);
    const { result, plan, run } = await buildReaderDataset({
      stories: requireFlag("reader dataset", "stories", flags.stories),
      reviews: requireFlag("reader dataset", "reviews", flags.reviews),
      folder,
      ...(flags.model !== undefined && { model: flags.model }),
      language: flags.language,
      count: flags.k,
      samples: flags.samples,
      minimumReviews: flags["minimum-reviews"],
      validationShare: flags.validation,
      maximumWords: flags["max-words"] ?? null,
      scale: flags.scale === "5" ? 5 : 10,
      seed: flags.seed,
      settings: runSettings(flags),
      services: runServices(terminal, signal),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (plan) return showPlan(plan, flags.json, terminal);
    if (flags.json)
      terminal.print(jsonDocument("reader-dataset", { ...result, run: run.id, ...costFields(run.summary) }));
    else {
      terminal.print(
        `${folder}: ${result.train} conversations to train on, ${result.validation} to validate with, from ${result.readers.kept} readers (${result.readers.dropped} dropped for too few reviews) and ${result.stories} stories.`,
      );
      const { comparisons, leaks } = result;
      terminal.print(
        `Beside them ${comparisons.train} and ${comparisons.validation} comparisons: which of two stories the reader rated clearly higher.`,
      );
      if (leaks)
        terminal.print(
          `${leaks.named} of ${leaks.conversations} conversations still name one of their books (titles ${leaks.by.title}, authors ${leaks.by.author}, characters ${leaks.by.character}).`,
        );
      if (flags.model === undefined)
        terminal.print(
          "The stories were taken as they are: a model may know published ones. Give --model to change names and retell plots.",
        );
      if (result.shortened + result.tooLong > 0)
        terminal.print(`${result.shortened} histories were shortened to fit; ${result.tooLong} did not fit at all.`);
      for (const [reason, count] of Object.entries(result.unprepared))
        terminal.print(`  ${count} stories left out: ${reason}`);
    }
    if (flags.model !== undefined) terminal.note(runInWords(run));
    return Object.keys(result.unprepared).length > 0 ? 3 : 0;
  },
});
