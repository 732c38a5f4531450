import { z } from "zod";
import { OVERLONG_RULES } from "../../qa/choices.ts";
import { book, bookFields, closeReading, reader, spending } from "../define/shared-fields.ts";
import { defineTask, field } from "../define/task.ts";

const count = field(
  z.number().int().min(3).max(300).default(30),
  "how many questions to write; those that fail a check are left out",
  { value: "N" },
);

export const writeQuestionsTask = defineTask({
  name: "qa write",
  summary:
    "Write questions about a novel, with answers and supporting passages; checked, deduplicated and refined as LiteraryQA's were.",
  library: { function: "writeQuestions", options: "WriteQuestionsOptions", first: "book" },
  input: z.strictObject({
    book,
    judge: reader,
    count,
    out: field(
      z.string().exactOptional(),
      "JSONL in LiteraryQA's shape; a card (.card.md) and the steps go beside it",
      {
        value: "FILE",
      },
    ),
    dropped: field(z.string().exactOptional(), "JSONL of what was left out, with reasons", { value: "FILE" }),
    withoutKnown: field(
      z.boolean().default(false),
      "leave out the questions that the model answers from the title alone, instead of marking them",
    ),
    ...bookFields("title", "author", "language"),
    context: closeReading.context,
    ...spending,
  }),
  load: async () => (await import("./write-questions.ts")).writeQuestionsAbout,
  output: { kind: "qa-questions", body: ({ plan: _plan, run: _run, ...result }) => result },
});

export const examTask = defineTask({
  name: "qa exam",
  summary:
    "Measure how well a model reads a book: ask questions about it with the book, with a summary, with neither, and after faults were planted in it.",
  library: { function: "examineReading", options: "ExamOptions", first: "book" },
  input: z.strictObject({
    book,
    judge: reader,
    questions: field(z.string().exactOptional(), "questions that `qa write` wrote; written first when not given", {
      value: "FILE",
    }),
    count,
    grader: field(reader.exactOptional(), "the model that grades the answers; the judge itself when not given", {
      value: "NAME",
      type: "string | ChatModel",
    }),
    overlong: field(
      z.enum(OVERLONG_RULES).default("refuse"),
      "what to show of a book that does not fit the model: nothing, its beginning, or the part that fits the question best",
      { value: "RULE" },
    ),
    withoutFaults: field(
      z.boolean().default(false),
      "do not ask again after contradictions were planted in the evidence, which saves up to half of the cost",
    ),
    out: field(z.string().exactOptional(), "JSONL of every answer with its grade, for `qa score`", { value: "FILE" }),
    ...bookFields("title", "author", "language"),
    context: closeReading.context,
    ...spending,
  }),
  rules: [
    {
      fields: ["count"],
      when: ({ said }) => said("questions"),
      sentence: "{count} has no effect with {questions}: all of them are asked.",
    },
  ],
  load: async () => (await import("./exam.ts")).examineOnBook,
  output: { kind: "qa-exam", body: ({ plan: _plan, run: _run, ...result }) => result },
});
