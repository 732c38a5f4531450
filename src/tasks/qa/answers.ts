import { z } from "zod";
import { costFields } from "../../core/cost.ts";
import { ANSWER_SETTINGS, GRADING_PROTOCOLS, GRADING_SETTINGS, METRIC_IDS, OVERLONG_RULES } from "../../qa/choices.ts";
import { REFERENCE_RULES } from "../../qa/metrics/reference-rule.ts";
import type { SystemComparison } from "../../qa/scoring/compare-systems.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import type { MetricAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import { askedBody, fromModels } from "../define/asked.ts";
import {
  defined,
  optionalReader,
  reader,
  rubric,
  runServicesOf,
  runSettingsOf,
  seed,
  spending,
  WITH_READER,
} from "../define/shared-fields.ts";
import { refuseStandardInput, runHereOrShared } from "../define/shared-work.ts";
import { defineTask, field, group } from "../define/task.ts";
import type { QaAgreeReport } from "./agree.ts";
import { questions } from "./data.ts";

/** Tasks about answers to questions: giving them, scoring them, and having people rate them. */

const file = (description: string) => field(z.string().exactOptional(), description, { value: "FILE" });

export const qaAnswerTask = defineTask({
  name: "qa answer",
  summary: "Have a model answer questions about books.",
  input: z.strictObject({
    ...questions,
    model: field(reader, "the model that answers: openai:MODEL, MODEL@http://host/v1, …", {
      value: "MODEL",
      type: "string | ChatModel",
    }),
    setting: field(
      z.enum(ANSWER_SETTINGS).default("open"),
      "what the model sees: the whole text, passages retrieved from it, the summary, or the title alone",
      { value: "SETTING" },
    ),
    texts: field(z.string().exactOptional(), "the books' texts, named by document id or Gutenberg number", {
      value: "FOLDER",
    }),
    passages: field(z.number().int().min(1).max(100).default(8), "how many passages to retrieve", { value: "N" }),
    contextTokens: field(
      z.number().int().min(256).exactOptional(),
      "the size of the model's context, when Fabula does not know it",
      { value: "N" },
    ),
    overlong: field(
      z.enum(OVERLONG_RULES).default("refuse"),
      "a book that does not fit: refuse it, show its beginning, or show the passage that fits the question best",
      { value: "RULE" },
    ),
    out: field(z.string(), "write one answer per line, for `fabula qa score`", { value: "FILE" }),
    ...spending,
  }),
  async run(given, services) {
    const { in: input, split, model, setting, texts, passages, contextTokens, overlong, out: output, ...asked } = given;
    const { answerQuestions } = await import("./answer-questions.ts");
    const { answersOfWorkers, piecesOfAnswering } = await import("../jobs/questions.ts");
    const settings = runSettingsOf(asked, services.host);
    refuseStandardInput(input, settings, services);
    const options = { model, setting, passageCount: passages, overlong, ...defined({ contextTokens }) };
    const outcome = await runHereOrShared(
      settings,
      services,
      () => ({
        kind: "answer-questions",
        options,
        models: [String(model)],
        pieces: piecesOfAnswering(input, split, texts),
      }),
      (own, shared) =>
        answerQuestions({
          ...options,
          answered: shared ? answersOfWorkers(shared.results()) : undefined,
          input,
          output,
          ...defined({ split, texts, onNote: services.onNote }),
          settings: own,
          services: runServicesOf(services),
          onProgress: services.onProgress,
        }),
    );
    return outcome && fromModels(outcome);
  },
  output: { kind: "qa-answers", body: (asked) => askedBody(asked!) },
});

const withBertScore = {
  title: "With BERTScore",
  refused: {
    unless: ({ bertScore }: { readonly bertScore?: unknown }) => bertScore !== undefined,
    sentence: "{this} goes with {bertScore} MODEL.",
  },
};
const BASELINE = "{this} {given}: give precision, recall and F1, such as 0.43,0.43,0.44.";
const share = z.number().gt(-1, BASELINE).lt(1, BASELINE);
const { store, dryRun, resume, ...paying } = spending;
export const gradingProtocol = field(
  z.enum(GRADING_PROTOCOLS).default("json"),
  "how the judge is asked: json for any model, prometheus for graders trained like Prometheus 2 (Feedback: … [RESULT] 4)",
  { value: "NAME" },
);

export const qaScoreTask = defineTask({
  name: "qa score",
  summary:
    "Compare answers with their references, and systems with each other: exact match, F1, ROUGE, METEOR, a judge.",
  library: { function: "scoreAnswers", options: "ScoreAnswersOptions", first: "in" },
  input: z.strictObject({
    in: field(
      z.array(z.union([z.string(), z.array(predictionSchema)])).min(1),
      'answers, one JSON object per line: {"prediction": "…", "answers": ["…", …]}; - is standard input',
      { value: "FILE", repeats: true, operand: "[FILE...]", type: "readonly (string | readonly Prediction[])[]" },
    ),
    metrics: field(z.array(z.string()).exactOptional(), `which metrics [${METRIC_IDS.join(",")}]`, {
      value: "LIST",
      help: `which metrics, separated by commas [${METRIC_IDS.join(",")}]`,
    }),
    references: field(z.enum(REFERENCE_RULES).default("best"), "which of several references to compare with", {
      value: "RULE",
    }),
    out: file(
      "write the table of systems (.html with every book and question, .md, or .csv and .parquet for programs), or each answer with its scores (.jsonl, or - )",
    ),
    lengths: field(
      z.number().int().min(2).max(50).exactOptional(),
      "also show each metric against the difference in length from the references, in this many bins",
      { value: "BINS" },
    ),
    bertScore: field(
      z.string().exactOptional(),
      "also compute BERTScore with this model (a folder with onnx/, or a Hugging Face name; :q4 chooses a file); needs @huggingface/transformers",
      { value: "MODEL" },
    ),
    ...group(withBertScore, {
      bertIdf: field(z.boolean().default(false), "weigh rare tokens more, by how many references have them"),
      bertBaseline: field(
        z.tuple([share, share, share], BASELINE).exactOptional(),
        "rescale BERTScore by the model's published baseline: three numbers",
        { value: "P,R,F" },
      ),
    }),
    data: file(
      "the books with their questions and summaries: for {grading} summary, and where answers do not name their book",
    ),
    resamples: field(z.number().int().min(100).max(100_000).default(1000), "bootstrap resamples of books", {
      value: "N",
    }),
    seed: seed(),
    judge: field(optionalReader, "also have this model grade each answer from 1 to 5", {
      value: "MODEL",
      type: "string | ChatModel",
    }),
    ...group(WITH_READER, {
      grading: field(
        z.enum(GRADING_SETTINGS).default("reference"),
        "what the judge sees: the references, or the book's summary as well",
        { value: "SETTING" },
      ),
      protocol: gradingProtocol,
      rubric: rubric("qa-grading", "the judge's scale"),
      ...paying,
      dryRun,
      resume,
    }),
    store,
  }),
  async run(input, services) {
    const { scoreSystems } = await import("./score-systems.ts");
    const { judge, data, out, bertScore, bertBaseline } = input;
    const { signal, onProgress, onNote } = services;
    const grading = judge !== undefined && {
      judge,
      setting: input.grading,
      protocol: input.protocol,
      rubric: input.rubric,
      ...defined({ data }),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress,
    };
    return scoreSystems({
      inputs: input.in,
      references: input.references,
      resamples: input.resamples,
      seed: input.seed,
      ...defined({ metrics: input.metrics, data, lengthBins: input.lengths, onNote }),
      // With `out` ending in a table format, a table of systems is written from the result instead.
      ...(out !== undefined && !/\.(?:html|md|csv|parquet)$/i.test(out) && { output: out }),
      ...(bertScore !== undefined && {
        bertScore: { model: bertScore, idf: input.bertIdf, ...defined({ baseline: bertBaseline }) },
      }),
      ...(grading && { grading }),
      signal,
      onProgress,
    });
  },
  output: {
    kind: "qa-scores",
    body: ({ files, comparison }) => {
      const documents = files.map(({ run, ...report }) =>
        run ? { ...report, run: run.id, ...costFields(run.summary) } : report,
      );
      if (documents.length > 1) return { files: documents, comparison };
      const { file: _file, ...only } = documents[0]!;
      return { ...only, intervals: comparison?.systems.length === 1 ? intervalsOf(comparison) : undefined };
    },
  },
});

function intervalsOf({ systems }: SystemComparison) {
  return Object.fromEntries(Object.entries(systems[0]!.metrics).map(([id, { interval }]) => [id, interval]));
}

export const qaSampleTask = defineTask({
  name: "qa sample",
  summary: "Draw questions for people to rate, from each book in proportion, with every system's answer.",
  input: z.strictObject({
    files: field(z.array(z.string()).min(1), "files of answers", { operand: "FILE..." }),
    count: field(z.number().int().min(1).default(500), "how many questions", { flag: "n", value: "N" }),
    seed: field(seed(), "the same seed draws the same questions", { value: "S" }),
    data: file("the books with their summaries, for raters who see the summary"),
    out: field(z.string(), "write the sample as JSONL, for `fabula qa rate`", { value: "FILE" }),
  }),
  async run({ files: inputs, count, seed: drawn, data, out: output }, { onNote }) {
    const { sampleAnswers } = await import("./sample.ts");
    return sampleAnswers({ inputs, count, seed: drawn, output, ...defined({ data, onNote }) });
  },
  output: { kind: "qa-sample", body: (report) => report },
});

const sample = field(z.string(), "the sample that `fabula qa sample` drew", { operand: "SAMPLE" });

export const qaSheetTask = defineTask({
  name: "qa rate sheet",
  summary: "Write a sheet on which one person rates answers blind.",
  input: z.strictObject({
    sample,
    sheet: field(z.string(), "write a blind sheet (.csv) for one rater", { value: "FILE" }),
    rater: field(z.string(), "whose sheet this is: each rater gets a different order", { value: "NAME" }),
    setting: field(
      z.enum([...GRADING_SETTINGS, "both"]).default("both"),
      "show raters the references, the summary as well, or first one and then the other",
      { value: "SETTING" },
    ),
    seed: seed("the random seed for the order"),
  }),
  async run({ sample: drawn, sheet, rater, setting, seed: order }) {
    const { writeRatingSheet } = await import("./rate.ts");
    const settings = GRADING_SETTINGS.filter((name) => setting === "both" || setting === name);
    return writeRatingSheet({ sample: drawn, rater, settings, seed: order, output: sheet });
  },
  output: { kind: "qa-sheet", body: ({ lines }) => ({ lines }) },
});

export const qaRateTask = defineTask({
  name: "qa rate",
  summary:
    "Have people rate answers blind: write a rater's sheet, or read filled-in sheets and see how far raters agree.",
  input: z.strictObject({
    sample,
    sheets: field(z.array(z.string()).min(1), "the filled-in sheets", { operand: "[SHEET...]" }),
    out: file("write the rated answers as JSONL, for `fabula qa agree`"),
  }),
  async run({ sample: drawn, sheets, out: output }) {
    const { collectRatings } = await import("./rate.ts");
    return collectRatings({ sample: drawn, sheets, ...defined({ output }) });
  },
  output: { kind: "qa-ratings", body: (report) => report },
});

export const qaAgreeTask = defineTask({
  name: "qa agree",
  summary: "How well each metric agrees with people on answers about books, by system and by answer.",
  input: z.strictObject({
    files: field(z.array(z.string()).min(1), "files of scored and rated answers", { operand: "FILE..." }),
    metrics: field(z.array(z.string()).exactOptional(), "which of the scores; all when not given", {
      value: "LIST",
      help: "which of the scores, separated by commas; all when not given",
    }),
    over: field(
      z.enum(["items", "systems", "both"]).exactOptional(),
      "what the intervals resample at system level [both]",
      {
        value: "UNIT",
      },
    ),
    resamples: field(z.number().int().min(0).max(1_000_000).exactOptional(), "bootstrap resamples [2000]", {
      value: "N",
    }),
    seed: seed(),
    judge: field(
      optionalReader,
      "first have this model grade the rated answers, each beside what its raters saw, and compare it too",
      { value: "MODEL", type: "string | ChatModel" },
    ),
    ...group(WITH_READER, {
      protocol: gradingProtocol,
      data: file("the books with their summaries, where the answers do not carry them"),
      rubric: rubric("qa-grading", "the judge's scale"),
      ...paying,
      dryRun,
      resume,
    }),
    store,
  }),
  async run(input, services) {
    const { agreeOnAnswers } = await import("./agree.ts");
    const { files, metrics, over, resamples, judge, data } = input;
    const grading = judge !== undefined && {
      judge,
      protocol: input.protocol,
      rubric: input.rubric,
      ...defined({ data }),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
    };
    return agreeOnAnswers({
      files,
      seed: input.seed,
      ...defined({ metrics, over, resamples }),
      ...(grading && { grading }),
      onProgress: services.onProgress,
    });
  },
  output: { kind: "qa-agreement", body: agreementDocument },
});

function agreementDocument({ answers, unrated, badLines, datasets, ungraded, run }: QaAgreeReport) {
  const figures = ({ level, n, missing, kendall, spearman, pearson }: MetricAgreement["agreement"]) => ({
    level,
    n,
    missing,
    kendall,
    spearman,
    pearson,
  });
  const cell = (found: MetricAgreement | null) =>
    found && {
      system: figures(found.agreement),
      item: found.pooled && figures(found.pooled),
      withinItems: found.withinItems,
      warnings: found.warnings,
    };
  return {
    answers,
    unrated,
    ...(badLines.length > 0 && { badLines }),
    ...(ungraded && { ungraded }),
    ...(run && { run: run.id, ...costFields(run.summary) }),
    datasets: datasets.map(({ metrics, ...facts }) => ({
      ...facts,
      metrics: metrics.map(({ metric, reference, summary }) => ({
        metric,
        reference: cell(reference),
        summary: cell(summary),
      })),
    })),
  };
}
