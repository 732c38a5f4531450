import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { RATING_RULES } from "../../reviews/normalise-ratings.ts";
import { askedBody, fromModels } from "../define/asked.ts";
import { defined, reader, runServicesOf, runSettingsOf, seed, spending } from "../define/shared-fields.ts";
import { refuseStandardInput, runHereOrShared } from "../define/shared-work.ts";
import { defineTask, field, type TaskServices } from "../define/task.ts";

/** Tasks that find out from readers' reviews what readers value. */

const file = (description: string) => field(z.string(), description, { value: "FILE" });
const optionalFile = (description: string) => field(z.string().exactOptional(), description, { value: "FILE" });
const structured = file("JSONL of structured reviews: book, reviewer, rating, aspects");
const theirBooks = file("JSONL of their books: id, genres, average_rating, ratings_5_to_1");

export const reviewsAnalyseTask = defineTask({
  name: "reviews analyse",
  summary:
    "What drives books' ratings: the importance of each aspect within genres, by dominance analysis, with intervals.",
  input: z.strictObject({
    reviews: structured,
    books: theirBooks,
    seed: seed("the random seed for drawing books"),
    resamples: field(z.number().int().min(0).default(500), "bootstrap resamples of books", { value: "N" }),
  }),
  async run(input, { onProgress, signal }) {
    const { analyseReviews } = await import("./review-report.ts");
    return analyseReviews({ ...input, onProgress, signal });
  },
  output: { kind: "review-importance", body: (importance) => importance },
});

export const reviewsReportTask = defineTask({
  name: "reviews report",
  summary: "Report what readers discuss, by genre and rating, and how sampling and normalising change the ratings.",
  input: z.strictObject({
    reviews: structured,
    books: theirBooks,
    seed: seed("the random seed for drawing reviews"),
  }),
  async run(input, { onProgress, signal }) {
    const { reportReviews } = await import("./review-report.ts");
    return reportReviews({ ...input, onProgress, signal });
  },
  output: { kind: "review-findings", body: (findings) => findings },
});

export const reviewsMapTask = defineTask({
  name: "reviews map",
  summary: "Map the free aspect names used in reviews to the eight aspects and four others.",
  input: z.strictObject({
    in: file("JSONL of reviews whose aspects go by any names"),
    out: file("the same, grouped by aspect; names without an aspect are kept as they are"),
  }),
  async run({ in: input, out: output }) {
    const { mapReviews } = await import("./prepare-reviews.ts");
    return mapReviews({ input, output });
  },
  output: { kind: "mapped-reviews", body: (report) => report },
});

export const reviewsNormaliseTask = defineTask({
  name: "reviews normalise",
  summary: "Put the ratings of strict and generous readers on one scale.",
  input: z.strictObject({
    in: structured,
    out: file("write the same reviews with normalised_rating added"),
    books: optionalFile(
      "JSONL of books with ratings_5_to_1: their ratings represent the platform; otherwise those of the reviews do",
    ),
    readers: optionalFile(
      "JSONL of reviewer with mean and deviation, or ratings_5_to_1: then normalises by Equation 1 of LongStoryEval as printed",
    ),
  }),
  async run({ in: input, out: output, books, readers }) {
    const { normaliseReviews } = await import("./prepare-reviews.ts");
    return normaliseReviews({ input, output, ...defined({ books, readers }) });
  },
  output: { kind: "normalised-reviews", body: (report) => report },
});

export const reviewsSampleTask = defineTask({
  name: "reviews sample",
  summary: "Sample each book's reviews so that their stars match the distribution of the book's ratings.",
  input: z.strictObject({
    in: structured,
    books: file("JSONL of their books: id, average_rating, ratings_5_to_1"),
    out: file("the reviews that are kept"),
    seed: seed("the random seed for drawing reviews"),
  }),
  async run({ in: input, out: output, books, seed: drawn }) {
    const { sampleReviews } = await import("./prepare-reviews.ts");
    return sampleReviews({ input, books, output, seed: drawn });
  },
  output: { kind: "sampled-reviews", body: (mitigation) => mitigation },
});

export const reviewsStructureTask = defineTask({
  name: "reviews structure",
  summary: "Have a model sort raw reviews by aspect, and check that it adds nothing.",
  input: z.strictObject({
    in: file("JSONL of raw reviews: book, reviewer, rating, text"),
    out: file("JSONL of structured reviews to write"),
    dropped: optionalFile("write what could not be structured, with the reason"),
    model: field(reader, "the model that sorts: openai:MODEL, MODEL@http://host/v1, …", {
      value: "MODEL",
      type: "string | ChatModel",
    }),
    secondModel: field(
      reader.exactOptional(),
      "the model to try when less than 40 % of the first one's words are in the review",
      { value: "MODEL", type: "string | ChatModel" },
    ),
    ...spending,
  }),
  async run({ in: input, out: output, dropped, model, secondModel, ...asked }, services) {
    const { structureReviews } = await import("./structure-reviews.ts");
    const { piecesOfReviews, structuredBy } = await import("../jobs/structure-reviews.ts");
    const settings = runSettingsOf(asked, services.host);
    refuseStandardInput(input, settings, services);
    const models = { model, ...defined({ secondModel }) };
    const outcome = await runHereOrShared(
      settings,
      services,
      () => ({
        kind: "structure-reviews",
        options: models,
        models: Object.values(models).map(String),
        pieces: piecesOfReviews(input),
      }),
      (own, shared) =>
        structureReviews({
          ...models,
          input,
          output,
          ...defined({ dropped }),
          structured: shared ? structuredBy(shared.results()) : undefined,
          settings: own,
          services: runServicesOf(services),
          onProgress: services.onProgress,
        }),
    );
    return outcome && fromModels(outcome);
  },
  output: { kind: "structured-reviews", body: (asked) => askedBody(asked!) },
});

export const reviewsExportTask = defineTask({
  name: "reviews export",
  summary: "Make training data for a model that reviews stories as readers do, with configurations for two trainers.",
  input: z.strictObject({
    out: field(z.string(), "the folder to write to", { value: "FOLDER" }),
    reviews: optionalFile("JSONL of structured reviews: book, reviewer, rating, aspects, conclusion"),
    books: optionalFile(
      "JSONL of their books: id, title, genres, premise, plot_summary, characters, excerpts, average_rating, ratings_5_to_1",
    ),
    data: field(
      z.string().exactOptional(),
      "instead of {reviews} and {books}: a checkout of LongStoryEval's release, whose test books are kept out of training and whose form the examples have",
      { value: "CHECKOUT" },
    ),
    testShare: field(z.number().min(0).max(0.9).default(0.1), "share of the books kept for testing", { value: "S" }),
    testBooks: optionalFile("instead of a share: the books to keep out of training, an id or a title per line"),
    texts: field(
      z.string().exactOptional(),
      "the books' texts, named by their ids: examples then show excerpts, as the protocol does in use",
      { value: "FOLDER" },
    ),
    prompts: field(
      z.string().exactOptional(),
      "the form of the examples: a checkout of LongStoryEval's release for the form that NovelCritique was trained on, or prompts of your own [Fabula's]",
      { value: "FOLDER" },
    ),
    ratings: field(
      z.enum(RATING_RULES).default("shrunk"),
      "LongStoryEval's Equation 1: as printed, or with each reader's habits drawn towards everyone's, as one or two ratings say little about a reader",
      { value: "RULE" },
    ),
    readers: optionalFile(
      "with {ratings} printed: JSONL of readers' means and deviations over all they rated [computed from the reviews]",
    ),
    perBook: field(z.number().int().min(1).exactOptional(), "at most this many reviews of one book", { value: "N" }),
    baseModel: field(z.string().default("meta-llama/Llama-3.1-8B"), "the model to be trained", { value: "NAME" }),
    seed: seed("the random seed for drawing reviews and books"),
  }),
  rules: [
    {
      fields: ["testShare"],
      when: ({ said }) => said("testBooks"),
      sentence: "{testBooks} names the books to test with, so no share of them is drawn: leave {this} out.",
    },
  ],
  needs: ({ data, reviews, books }) =>
    data !== undefined ? null : reviews === undefined ? "reviews" : books === undefined ? "books" : null,
  async run({ out: folder, data, reviews, books, testBooks, prompts, texts, readers, perBook, ...rest }, services) {
    const { exportReviews } = await import("./export-reviews.ts");
    const release = data === undefined ? null : await releaseIn(data, services);
    const { onProgress, signal } = services;
    return exportReviews({
      ...rest,
      reviews: release ? join(release.converted, "reviews.jsonl") : reviews!,
      books: release ? join(release.converted, "books.jsonl") : books!,
      folder,
      ...defined({
        testBooks: testBooks ?? (release ? join(release.folder, "dataset", "test.txt") : undefined),
        prompts: prompts ?? release?.folder,
      }),
      ...defined({ texts, readers, perBook }),
      onProgress,
      signal,
    }).finally(() => release?.close());
  },
  output: { kind: "exported-reviews", body: (report) => report },
});

async function releaseIn(folder: string, { onProgress, signal }: TaskServices) {
  const { openRelease } = await import("../reproduce/longstoryeval-release.ts");
  const release = await openRelease({ folder, seed: 1, onProgress, signal });
  if (release) return release;
  throw new FabulaError(
    "E_DATA_MISSING",
    `"${folder}" is no checkout of LongStoryEval's release: give reviews and books instead.`,
  );
}
