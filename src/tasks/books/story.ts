import { z } from "zod";
import { field } from "../define/field.ts";
import { closeReading, reader, spending } from "../define/model-fields.ts";
import { book, reading } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const storyTask = defineTask({
  name: "story",
  summary:
    "Have a language model write the story bible of a book: cast, time line, scenes, threads, the reader's questions.",
  library: { function: "storyOf", options: "StoryOptions", first: "book" },
  input: z.strictObject({
    book,
    judge: reader,
    ...reading("title", "author", "language"),
    ...closeReading,
    depth: field(
      closeReading.depth.removeDefault().default("full"),
      "full reads every chapter alone and notes facts, events and the reader's questions; quick asks once about the whole book",
      { value: "NAME" },
    ),
    ...spending,
  }),
  async run({ book: source, ...options }, services) {
    const { storyOfBook } = await import("./read-story.ts");
    return storyOfBook(source, options, services);
  },
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
    ...reading("title", "author", "language"),
    ...closeReading,
    ...spending,
  }),
  async run({ book: source, question, ...options }, services) {
    const { answerFromBook } = await import("./read-story.ts");
    return answerFromBook(source, question, options, services);
  },
  output: { kind: "book-answer", body: ({ plan: _plan, run: _run, ...result }) => result },
});
