import { z } from "zod";
import { group } from "../define/field.ts";
import { closeReading, optionalReader, spending, WITH_READER } from "../define/model-fields.ts";
import { bookReading, books, linesIn, linesOut, reading } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

const closely = { judge: optionalReader, ...group(WITH_READER, { ...closeReading, ...spending }) };

export const checkTask = defineTask({
  name: "check",
  summary: "Check books: what would stop a reader, with the passages that show it; by code alone, or read by a model.",
  library: { function: "checkBooks", options: "CheckOptions", first: "books" },
  input: z.strictObject({ books, ...reading("language"), ...closely }),
  async run({ books: given, ...options }, services) {
    const { checkBooks } = await import("./check-books.ts");
    const { checking } = await import("./check-closely.ts");
    const { signal, onProgress, host } = services;
    const readingOf = { ...bookReading(options), ...(host.stdin && { stdin: host.stdin }), onProgress, signal };
    return checking(options, services, (check) => checkBooks(given, readingOf, check));
  },
  output: {
    kind: "checks",
    body: ({ result: { books, failed }, model }) => ({ books, ...(failed.length > 0 && { failed }), ...model }),
  },
});

export const checkTextsTask = defineTask({
  name: "check texts",
  summary: "Check many texts: one line of findings for each.",
  input: z.strictObject({ in: linesIn("check many texts"), out: linesOut, ...closely }),
  async run({ in: input, out, ...options }, services) {
    const { checkTexts } = await import("./check-books.ts");
    const { checking } = await import("./check-closely.ts");
    const { signal, onProgress } = services;
    const request = { input, output: options.dryRun ? null : out, signal, onProgress };
    return checking(options, services, async (check) => ({ ...(await checkTexts(request, check)), out }));
  },
  output: { kind: "checked-items", body: ({ result, model }) => ({ ...result, ...model }) },
});
