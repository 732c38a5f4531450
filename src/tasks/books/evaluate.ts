import { z } from "zod";
import { type EvaluateInput, evaluating, isEmbedded } from "../define/judge-fields.ts";
import { defineTask } from "../define/task.ts";

interface Given {
  readonly input: EvaluateInput;
}
const isForModel = ({ input }: Given) => !isEmbedded(input);
const isNotWhole = ({ input }: Given) => input.in !== undefined || input.outline;

export const evaluateTask = defineTask({
  name: "evaluate",
  summary: "Judge books aspect by aspect, with evidence; without a key or a network by default.",
  library: { function: "evaluateBook", options: "EvaluateOptions", first: "books" },
  input: z.strictObject(evaluating),
  rules: [
    {
      fields: ["allNotes"],
      when: isForModel,
      sentence: "{this} is for the embedded judges: line notes come from them.",
    },
    {
      fields: ["reference"],
      when: isForModel,
      sentence: "{this} is for the embedded judges; `fabula map` shows the same figures beside novels of your own.",
    },
    {
      fields: ["judge"],
      when: ({ said }) => said("panel"),
      sentence: "{panel} names all the judges: leave {this} out.",
    },
    { fields: ["profiles"], when: ({ said }) => !said("reader"), sentence: "{this} goes with {reader}." },
    {
      fields: ["story"],
      when: isForModel,
      sentence: "{this} is for the embedded judges: a language model reads the book for itself.",
    },
    {
      fields: ["story"],
      when: ({ input, said }) => input.books.length > 1 || !said("reader"),
      sentence: "{this} describes one book for one reader: give one book, and {reader}.",
    },
    {
      fields: ["against"],
      when: ({ input }) => input.books.length > 1,
      sentence: "{this} compares one book with its earlier draft: name one book.",
    },
    {
      fields: ["reader", "population"],
      when: ({ input, said }) => said("against") && !isEmbedded(input),
      sentence: "{against} with a language model compares two drafts: use {reader} and {population} separately.",
    },
    {
      fields: ["panel"],
      when: ({ said }) => said("against"),
      sentence: "{against} takes one book and one judge: the judge of that run.",
    },
    {
      fields: ["aspects", "runs", "untilHalfWidth", "protocol", "chapterSummaries", "in", "outline", "letter"],
      when: ({ input, said }) => said("against") && !isEmbedded(input),
      sentence: "{against} judges the new draft as the earlier run judged the old one: leave {this} out.",
    },
    {
      fields: ["maskInjection"],
      when: ({ input, said }) => said("against") && !isEmbedded(input),
      sentence: "{this} judges the whole book again, and {against} only what changed: give one of them.",
    },
    {
      fields: ["summariser", "segmentWords"],
      when: isNotWhole,
      sentence: "Files read with {in} or {outline} are judged as they are, without a summary: leave {this} out.",
    },
    {
      // A reader's personal verdict needs a summary, whatever the method.
      fields: ["summariser"],
      when: ({ input }) => input.reader === undefined && input.method === "one-pass",
      sentence: "{method} one-pass shows the judge the book itself, without a summary: leave {this} out.",
    },
    {
      fields: ["metadata.title", "metadata.author", "metadata.language"],
      when: isNotWhole,
      sentence: "{this} is for books: files read with {in} or {outline} carry their own.",
    },
    {
      fields: ["metadata.title"],
      when: ({ input }) => input.books.length > 1,
      sentence: "{this} names one book: give one.",
    },
    {
      fields: ["outline"],
      when: ({ said }) => said("in"),
      sentence: "{in} reads summaries and {this} outlines: give one.",
    },
    { fields: ["in"], when: ({ input }) => input.books.length > 0, sentence: "Give books or {this}, not both." },
    {
      fields: ["chapterSummaries"],
      when: ({ input }) => (input.method ?? "summary") !== "summary",
      sentence: "{this} goes with {method} summary.",
    },
  ],
  load: async () => (await import("./evaluate-books.ts")).evaluateBooks,
  output: {
    kind: "evaluations",
    /** The result has the same shape for one book and for many; for one book, its fields are also at the top level. */
    body: ({ books: evaluated }) => {
      const evaluations = evaluated.flatMap((book) => (book.kind === "evaluated" ? [book.evaluation] : []));
      const failed = evaluated.flatMap((book) => (book.kind === "failed" ? [book.failed] : []));
      const [only] = evaluations;
      return {
        evaluations,
        ...(failed.length > 0 && { failed }),
        ...(evaluated.length === 1 && only),
      };
    },
  },
});
