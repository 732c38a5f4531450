import { z } from "zod";
import { type Asked, askedBody, fromModels } from "../define/asked.ts";
import { field } from "../define/field.ts";
import { runServicesOf, runSettingsOf, spending } from "../define/model-fields.ts";
import { seed } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";
import type { BookResult } from "./books.ts";
import { promptsFrom } from "./frozen.ts";

const whole = (standard: number, description: string, minimum = 1) =>
  field(z.number().int().min(minimum).default(standard), description, { value: "N" });
const names = (description: string) => field(z.array(z.string().min(1)).min(1), description, { value: "A,B" });

export const benchBookTask = defineTask({
  name: "bench book",
  summary:
    "Have writers plan and write whole books, each chapter seeing what came before, and follow quality, repetition and continuity over the length.",
  input: z.strictObject({
    folder: field(z.string(), "a benchmark's folder with synopses, frozen or not", { operand: "FOLDER" }),
    writer: names("the models that write"),
    judge: names("who scores every chapter and the whole: the grader, or language models"),
    closely: field(z.string().exactOptional(), "a model that also reads every book closely, for its findings", {
      value: "MODEL",
    }),
    novels: whole(3, "books each writer writes"),
    chapters: whole(10, "chapters of a book", 3),
    context: whole(6000, "words of earlier chapters a writer sees in full; older ones as its own summaries", 0),
    words: whole(1000, "about how long a chapter should be", 50),
    maxTokens: whole(4096, "tokens a chapter may have", 16),
    temperature: field(z.number().min(0).max(2).default(0.6), "the writers' temperature", { value: "T" }),
    rubric: field(z.string().exactOptional(), "what is scored [the rubric of the benchmark]", { value: "NAME|FILE" }),
    prompts: field(z.string().exactOptional(), "prompts of your own, LANGUAGE/NAME.md", { value: "FOLDER" }),
    seed: seed("the random seed for the choice of novels"),
    ...spending,
  }),
  async run(input, services): Promise<Asked<BookResult>> {
    const { runBooks } = await import("./books.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const { checkClosely } = await import("../books/check-closely.ts");
    const { readingOptions } = await import("../books/read-story.ts");
    const { signal, onProgress } = services;
    const { closely, chapters, context, words, temperature, novels } = input;
    const outcome = await inRun(runSettingsOf(input, services.host), runServicesOf(services), async (run) => {
      const reader = closely === undefined ? null : await run.model(closely);
      return runBooks(run, {
        folder: input.folder,
        writers: [...new Set(input.writer)],
        judges: [...new Set(input.judge)],
        rubric: input.rubric ?? null,
        ...{ novels, chapters, context, words, temperature, seed: input.seed, maximumTokens: input.maxTokens },
        prompts: await promptsFrom(input.prompts),
        readClosely:
          reader &&
          (async (book) => {
            const options = readingOptions(book, { model: reader, temperature: 0, depth: "quick", onProgress });
            const { findings } = await checkClosely(book, options, signal);
            return findings.filter(({ origin }) => origin === "read");
          }),
        ...{ onProgress, signal },
      });
    });
    return fromModels(outcome);
  },
  output: { kind: "books-over-length", body: askedBody },
});
