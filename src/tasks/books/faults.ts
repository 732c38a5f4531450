import { z } from "zod";
import {
  book,
  bookFields,
  bookReadOptions,
  books,
  closeReading,
  linesIn,
  linesOut,
  optionalReader,
  spending,
  WITH_READER,
} from "../define/shared-fields.ts";
import { defineTask, field, group } from "../define/task.ts";

const closely = { judge: optionalReader, ...group(WITH_READER, { ...closeReading, ...spending }) };

export const checkTask = defineTask({
  name: "check",
  summary:
    "Check books: what would stop a reader, with the passages that show it; by rules alone, or with a language model as well.",
  library: { function: "checkBooks", options: "CheckOptions", first: "books" },
  input: z.strictObject({ books, ...bookFields("language"), ...closely }),
  async run({ books: given, ...options }, services) {
    const { checkBooks, checking } = await import("./check-books.ts");
    const { signal, onProgress, host } = services;
    const readingOf = { ...bookReadOptions(options), ...(host.stdin && { stdin: host.stdin }), onProgress, signal };
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
    const { checking, checkTexts } = await import("./check-books.ts");
    const { signal, onProgress } = services;
    const request = { input, output: options.dryRun ? null : out, signal, onProgress };
    return checking(options, services, async (check) => ({ ...(await checkTexts(request, check)), out }));
  },
  output: { kind: "checked-items", body: ({ result, model }) => ({ ...result, ...model }) },
});

export const notesTask = defineTask({
  name: "notes",
  summary: "Line notes: which sentences a professional editor would change, and why.",
  library: { function: "lineNotes", options: "NotesOptions", first: "book" },
  input: z.strictObject({ book, ...bookFields() }),
  async run({ book: source, ...options }, { onProgress, host: { stdin } }) {
    const { notesOfBook } = await import("./line-notes.ts");
    return notesOfBook(source, { ...options, ...(stdin && { stdin }), onProgress });
  },
  output: { kind: "notes", body: (notes) => notes },
});

export const annotateTask = defineTask({
  name: "notes docx",
  summary: "Write a manuscript as a Word document with its line notes as comments.",
  input: z.strictObject({
    book: field(z.string(), "the book", { operand: "FILE" }),
    out: field(z.string(), "the document to write", { value: "FILE" }),
    allNotes: field(z.boolean().default(false), "every note instead of the 25 likeliest", {
      help: "with --out notes.docx: every note instead of the 25 likeliest",
    }),
  }),
  async run({ book: file, out, allNotes }, { signal, onProgress }) {
    const { evaluateBook } = await import("./evaluate-book.ts");
    const { writeNotesDocx } = await import("./line-notes.ts");
    const evaluation = await evaluateBook(file, { judge: "editor", allNotes, signal, onProgress });
    return { ...(await writeNotesDocx(evaluation, out)), out };
  },
  output: { kind: "annotated-manuscript", body: (written) => written },
});

export const noteTextsTask = defineTask({
  name: "notes texts",
  summary: "Line notes of many texts.",
  input: z.strictObject({ in: linesIn("many texts instead of one book"), out: linesOut }),
  async run({ in: input, out }, { signal, onProgress }) {
    const { notesOfItems } = await import("./line-notes.ts");
    return { ...(await notesOfItems({ input, output: out, signal, onProgress })), out };
  },
  output: { kind: "noted-items", body: (summary) => summary },
});
