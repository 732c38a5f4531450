import { z } from "zod";
import { field } from "../define/field.ts";
import { book, linesIn, linesOut, reading } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const notesTask = defineTask({
  name: "notes",
  summary: "Line notes: which sentences a professional editor would change, and why.",
  library: { function: "lineNotes", options: "NotesOptions", first: "book" },
  input: z.strictObject({ book, ...reading() }),
  async run({ book: source, ...options }, { onProgress, host: { stdin } }) {
    const { notesOfBook } = await import("./notes/line-notes.ts");
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
    const { evaluateBook } = await import("../../workflows/books/evaluate-book.ts");
    const { writeNotesDocx } = await import("./notes/write-notes-docx.ts");
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
    const { notesOfItems } = await import("./notes/line-notes.ts");
    return { ...(await notesOfItems({ input, output: out, signal, onProgress })), out };
  },
  output: { kind: "noted-items", body: (summary) => summary },
});
