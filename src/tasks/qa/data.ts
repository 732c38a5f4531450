import { z } from "zod";
import { askedBody, fromModels } from "../define/asked.ts";
import {
  defined,
  optionalReader,
  reader,
  runServicesOf,
  runSettingsOf,
  seed,
  spending,
  WITH_READER,
} from "../define/shared-fields.ts";
import { refuseStandardInput, runHereOrShared } from "../define/shared-work.ts";
import { defineTask, field, group } from "../define/task.ts";

/** Tasks that make a data set of questions about books. */

/** Options that say where a task reads its questions from. */
export const questions = {
  in: field(z.string(), "books with questions (LiteraryQA's JSONL), or a NarrativeQA folder", { value: "FILE" }),
  split: field(z.string().exactOptional(), "only this split (train, validation, test)", { value: "NAME" }),
};
const texts = field(z.string(), "the books' texts, named by document id or Gutenberg number", { value: "FOLDER" });
const file = (description: string) => field(z.string().exactOptional(), description, { value: "FILE" });

export const qaCleanTask = defineTask({
  name: "qa clean",
  summary: "Remove everything that is not the story from the books' texts, and repair garbled characters in summaries.",
  input: z.strictObject({
    ...questions,
    texts: field(texts, "the texts as downloaded, named by document id or Gutenberg number", { value: "FOLDER" }),
    outTexts: field(z.string(), "write the clean texts here", { value: "FOLDER" }),
    out: file("write the books with repaired summaries"),
  }),
  async run({ in: input, texts: folder, outTexts, split, out: output }, { signal, onProgress }) {
    const { cleanTexts } = await import("./filter.ts");
    const options = { input, texts: folder, cleanTexts: outTexts, ...defined({ split, output }) };
    return cleanTexts({ ...options, signal, onProgress });
  },
  output: { kind: "qa-clean", body: (report) => report },
});

export const qaDedupeTask = defineTask({
  name: "qa dedupe",
  summary: "Find and remove near-identical questions about the same book.",
  input: z.strictObject({
    ...questions,
    threshold: field(
      z.number().min(0).max(1).default(0.9),
      "how similar two questions must be to count as duplicates",
      { value: "ROUGE-L" },
    ),
    out: file("write the books without the duplicates"),
    review: file("write every pair found, with a decision that a person may change"),
    decisions: file("apply the decisions of such a file"),
  }),
  async run({ in: input, threshold, out: output, ...given }, { onNote }) {
    const { dedupeQuestions } = await import("./filter.ts");
    return dedupeQuestions({ input, threshold, ...defined({ ...given, output, onNote }) });
  },
  output: { kind: "qa-dedupe", body: (report) => report },
});

const { store, dryRun, resume, ...paying } = spending;

export const qaFilterTask = defineTask({
  name: "qa filter",
  summary: "Remove films, plays, non-fiction and books whose summary belongs to another book, with evidence.",
  input: z.strictObject({
    ...questions,
    texts: field(texts.exactOptional(), "the books' texts, named by document id or Gutenberg number", {
      value: "FOLDER",
    }),
    judge: field(optionalReader, "also ask this model about what the rules keep", {
      value: "MODEL",
      type: "string | ChatModel",
    }),
    out: file("write the books that are kept"),
    review: file("write what was removed and why, with a decision to change"),
    decisions: file("apply the decisions of such a file"),
    ...group(WITH_READER, { ...paying, dryRun, resume }),
    store,
  }),
  async run({ in: input, texts: folder, judge, out: output, review, decisions, split, ...asked }, services) {
    const { filterDocuments } = await import("./filter.ts");
    return filterDocuments({
      input,
      ...defined({ split, texts: folder, judge, decisions, output, review, onNote: services.onNote }),
      settings: runSettingsOf(asked, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
  },
  output: { kind: "qa-filter", body: ({ result }) => result },
});

export const qaRefineTask = defineTask({
  name: "qa refine",
  summary: "Have a model check questions and reference answers and correct them with the fewest edits.",
  input: z.strictObject({
    ...questions,
    judge: field(reader, "the model that checks: anthropic:MODEL, MODEL@http://host/v1, …", {
      value: "MODEL",
      type: "string | ChatModel",
    }),
    out: field(z.string(), "write the refined books", { value: "FILE" }),
    review: file("write every change for a person to accept or reject"),
    dropped: file("write the samples dropped because question and answer both changed"),
    ...spending,
  }),
  async run({ in: input, split, judge, out: output, review, dropped, ...asked }, services) {
    const { refineQuestions } = await import("./refine.ts");
    const { answersOfWorkers, piecesOfRefinement } = await import("../jobs/questions.ts");
    const settings = runSettingsOf(asked, services.host);
    refuseStandardInput(input, settings, services);
    const outcome = await runHereOrShared(
      settings,
      services,
      () => ({
        kind: "refine-questions",
        options: { judge },
        models: [String(judge)],
        pieces: piecesOfRefinement(input, split),
      }),
      (own, shared) =>
        refineQuestions({
          input,
          refined: shared ? answersOfWorkers(shared.results()) : undefined,
          judge,
          output,
          ...defined({ split, review, dropped, onNote: services.onNote }),
          settings: own,
          services: runServicesOf(services),
          onProgress: services.onProgress,
        }),
    );
    return outcome && fromModels(outcome);
  },
  output: { kind: "qa-refine", body: (asked) => askedBody(asked!) },
});

const refined = field(z.string(), "the refined books", { value: "FILE" });
const reviewed = {
  dropped: file("the samples that refinement dropped"),
  removed: file("the documents that `qa filter --review` removed"),
};

export const qaAuditSheetsTask = defineTask({
  name: "qa audit sheets",
  summary: "Write sheets with which people check a refinement blind.",
  input: z.strictObject({
    in: refined,
    ...reviewed,
    sheets: field(z.string(), "write sheets to fill in; copy the folder for each reviewer", { value: "FOLDER" }),
    changed: field(z.number().int().min(1).default(200), "changed samples on the sheets", { value: "N" }),
    unchanged: field(z.number().int().min(1).default(200), "unchanged samples mixed in", { value: "N" }),
    seed: seed("the random seed for the samples and their order"),
  }),
  async run({ in: input, sheets: folder, dropped, removed, ...drawn }) {
    const { prepareAudit } = await import("./audit.ts");
    const lines = await prepareAudit({ input, ...defined({ dropped, removed }), folder, ...drawn });
    return { folder, lines };
  },
  output: { kind: "qa-audit", body: (written) => written },
});

export const qaAuditTask = defineTask({
  name: "qa audit",
  summary: "Have people check a refinement blind, and print what it got right: LiteraryQA's Tables 1, 2 and 11.",
  input: z.strictObject({
    folders: field(z.array(z.string()).min(1), "the reviewers' folders", { operand: "[FOLDER...]" }),
    in: refined,
    ...reviewed,
  }),
  async run({ in: input, folders, ...given }) {
    const { auditRefinement } = await import("./audit.ts");
    return auditRefinement({ input, ...defined(given) }, folders);
  },
  output: { kind: "qa-audit", body: (report) => report },
});

export const qaReviewTask = defineTask({
  name: "qa review",
  summary: "Apply a person's decisions on proposed changes; compare two reviewers.",
  input: z.strictObject({
    review: field(z.string(), 'a review file with "accept" or "reject" in each "decision"', { value: "FILE" }),
    second: file("the same file filled in by a second person: prints Cohen's κ"),
    in: file("the refined books"),
    dropped: file("the samples that refinement dropped: those with a decision on every change are restored"),
    out: file("write the books with every rejected change undone"),
  }),
  async run({ review, second, in: input, dropped, out: output }) {
    const { reviewChanges } = await import("./review.ts");
    return reviewChanges({ review, ...defined({ second, input, dropped, output }) });
  },
  output: { kind: "qa-review", body: (report) => report },
});

export const qaReportTask = defineTask({
  name: "qa report",
  summary: "Show, step by step, what each stage removed from a data set.",
  input: z.strictObject({ file: field(z.string(), "the data set", { operand: "FILE" }) }),
  async run({ file: named }) {
    const { reportSteps } = await import("./filter.ts");
    return { file: named, steps: await reportSteps(named) };
  },
  output: { kind: "qa-steps", body: (report) => report },
});
