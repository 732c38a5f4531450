import { z } from "zod";
import {
  book,
  bookFields,
  books,
  characterCorrections,
  closeReading,
  linesIn,
  linesOut,
  reader,
  reference,
  spending,
} from "../define/shared-fields.ts";
import { defineTask, field } from "../define/task.ts";

export const readTask = defineTask({
  name: "read",
  summary: "Read books and show what Fabula sees: chapters, words, tokens, language, and what was cleaned away.",
  // The library function returns the book's text; the command lists what is in it.
  library: { function: "readBook", options: "ReadBookOptions", first: "books" },
  input: z.strictObject({
    books,
    ...bookFields("title", "author", "language", "genres", "premise", "format"),
  }),
  rules: [
    {
      fields: ["metadata.title"],
      when: ({ input }) => input.books.length > 1,
      sentence: "{this} names one book: give one.",
    },
  ],
  async run({ books: given, ...options }, { signal, onProgress, host: { stdin } }) {
    const { readBooks } = await import("./read-books.ts");
    return readBooks(given, { ...options, ...(stdin && { stdin }), onProgress, signal });
  },
  output: {
    kind: "books",
    body: ({ books, failed }) => ({ books, ...(failed.length > 0 && { failed }) }),
  },
});

export const mapTask = defineTask({
  name: "map",
  summary: "Map a manuscript: what can be counted, chapter by chapter, beside published novels.",
  library: { function: "mapManuscript", options: "MapOptions", first: "book" },
  input: z.strictObject({ book, ...bookFields("language"), characterCorrections, reference }),
  async run({ book: source, ...options }, { onProgress, host: { stdin, library } }) {
    const { mapBook } = await import("./map-book.ts");
    const { keptCharactersIn } = await import("./open-book.ts");
    return mapBook(source, {
      ...options,
      ...(library !== undefined && { keptCharacters: keptCharactersIn(library) }),
      ...(stdin && { stdin }),
      onProgress,
    });
  },
  output: { kind: "map", body: (map) => map },
});

export const mapTextsTask = defineTask({
  name: "map texts",
  summary: "Map many texts: who speaks, how much is dialogue, and in which person the story is told.",
  input: z.strictObject({ in: linesIn("map many texts"), out: linesOut }),
  async run({ in: input, out }, { signal, onProgress }) {
    const { mapTexts } = await import("./map-book.ts");
    return { texts: await mapTexts({ input, output: out, signal, onProgress }), out };
  },
  output: { kind: "mapped-items", body: (summary) => summary },
});

export const storyTask = defineTask({
  name: "story",
  summary:
    "Have a language model write the story bible of a book: cast, time line, scenes, threads, the reader's questions.",
  library: { function: "storyOf", options: "StoryOptions", first: "book" },
  input: z.strictObject({
    book,
    judge: reader,
    ...bookFields("title", "author", "language"),
    ...closeReading,
    depth: field(
      closeReading.depth.removeDefault().default("full"),
      "full reads every chapter alone and notes facts, events and the reader's questions; quick asks once about the whole book",
      { value: "NAME" },
    ),
    ...spending,
  }),
  load: async () => (await import("./read-story.ts")).storyOfBook,
  output: { kind: "story", body: ({ plan: _plan, run: _run, ...result }) => result },
});

export const askTask = defineTask({
  name: "ask",
  summary: "Ask a book a question: the answer with the passages it rests on, or that the book does not say.",
  library: { function: "askBook", options: "AskOptions", first: "book" },
  input: z.strictObject({
    book,
    question: field(z.string().trim().min(1, "{this} is empty: ask something about the book."), "the question", {
      operand: "QUESTION",
    }),
    judge: reader,
    ...bookFields("title", "author", "language"),
    ...closeReading,
    ...spending,
  }),
  load: async () => (await import("./read-story.ts")).answerFromBook,
  output: { kind: "book-answer", body: ({ plan: _plan, run: _run, ...result }) => result },
});
