import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import type { BaselineName } from "../../reader/baselines.ts";
import { ANONYMISED } from "../../reader/dataset.ts";
import type { PersonalComparison } from "../../reader/evaluation/personal-comparison.ts";
import { PROTOCOLS } from "../../reader/perse.ts";
import type { RunOutcome } from "../../runner/open-run.ts";
import { type Asked, askedBody, fromModels, planWithoutModels, withoutModels } from "../define/asked.ts";
import { judgeRunFields, WITH_MODELS } from "../define/judge-fields.ts";
import { defined, runServicesOf, runSettingsOf, spending, WITH_READER } from "../define/shared-fields.ts";
import { defineTask, field, group, profileFrom } from "../define/task.ts";
import type { EmbeddedComparison } from "./compare.ts";
import type { BookRanking, JudgedBook, PredictedBook, PredictedRanking } from "./rank.ts";

/** Tasks in which a judge takes the role of one reader: a language model, or the predictor that ships with Fabula. */

export const EMBEDDED = "embedded";
const BASELINES = ["mean", "matrix-factorisation", "bias-and-forecast"] as const satisfies readonly BaselineName[];

export const profiles = field(z.string().exactOptional(), "where profiles are kept", {
  value: "FOLDER",
  help: "where profiles are kept (FABULA_READERS; else beside the store, in the user's data folder)",
});
const ofReader = {
  reader: field(z.string(), "the reader: a profile's name, or a profile in a .json file", {
    flag: "as",
    value: "PROFILE",
  }),
  profiles,
};
export const ratingsScale = field(
  z.number().int().min(2).max(100).exactOptional(),
  "the highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]",
  { value: "N" },
);
export const knownBooks = field(
  z.string().exactOptional(),
  "a table of books (title, author, average_rating, genres, premise, plot_summary, characters; or another library's export) that fills in what is not known of the reader's books",
  { value: "FILE" },
);
const temperature = field(z.number().min(0).max(2).default(0.8), "the model's temperature", { value: "T" });
const starsOnly = field(z.boolean().default(false), "show the earlier scores without the words of the reviews");
const history = (usual: number) =>
  field(z.number().int().min(0).max(100).default(usual), "how many earlier reviews a model is shown, from 0", {
    flag: "k",
    value: "N",
  });
const judge = (description: string) => field(z.string().default(EMBEDDED), description, { value: "MODEL" });
const protocol = field(
  z.enum(PROTOCOLS).default("fabula"),
  "the form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7)",
  { value: "NAME" },
);
const anonymise = field(
  z.boolean().default(false),
  "change names and retell plots before asking (two more calls per story), so that fame cannot help",
);
const anonymiseBy = field(
  z.enum(ANONYMISED).exactOptional(),
  "{anonymise} by changing the names, by retelling the plot as a summary, or by both [both]",
  { value: "HOW" },
);
const levelOf = (input: { readonly anonymise: boolean; readonly anonymiseBy?: (typeof ANONYMISED)[number] }) =>
  input.anonymiseBy ?? (input.anonymise ? ("both" as const) : null);
/** The embedded predictor makes no calls, so there is no run to report. */
function fromJudge<Result>(judge: string, outcome: RunOutcome<Result>): Asked<Result> {
  return { ...fromModels(outcome), ...(judge === EMBEDDED && { run: null }) };
}
const pairs = (description: string) => field(z.string(), description, { value: "FILE" });
const { resume, ...alwaysResumed } = judgeRunFields;

/** Six answers are the fewest that can distinguish a preference from chance: three runs in both orders. */
const RUNS_OF_TWO_STORIES = 3;

const comparing = {
  judge: judge("openai:MODEL, MODEL@http://host/v1, …; embedded needs no model"),
  ...group(WITH_MODELS, {
    history: history(1),
    runs: field(
      z.number().int().min(1).max(50).exactOptional(),
      "number of runs; each run asks in both orders [3 for two stories, 1 for many pairs]",
      { value: "N" },
    ),
    starsOnly,
    protocol,
    temperature,
    resume,
  }),
  ...alwaysResumed,
};

type Preference = { readonly reader: string; readonly judge: string; readonly isSameStory: boolean } & (
  | EmbeddedComparison
  | PersonalComparison
);

export const readerCompareTask = defineTask({
  name: "reader compare",
  summary:
    "Which of two stories one reader would prefer: on five aspects by a model, or overall by the embedded predictor.",
  input: z.strictObject({
    stories: field(z.array(z.string()).length(2, "{this}: give two stories."), "the two stories", {
      operand: "[STORY STORY]",
    }),
    ...ofReader,
    ...comparing,
  }),
  async run(given, services): Promise<Asked<Preference>> {
    const {
      stories,
      history: count,
      starsOnly: isBare,
      runs = RUNS_OF_TWO_STORIES,
      temperature: heat,
      protocol: form,
      ...input
    } = given;
    const { compareEmbedded, compareForReader } = await import("./compare.ts");
    const { readStoryFile } = await import("../books/described-story.ts");
    const profile = await profileFrom(input, services.host);
    const [left, right] = [await readStoryFile(stories[0]!), await readStoryFile(stories[1]!)];
    const about = { reader: profile.name, judge: input.judge, isSameStory: isDeepStrictEqual(left, right) };
    if (input.judge === EMBEDDED) {
      if (input.dryRun) return planWithoutModels("predict one rating for each story");
      return withoutModels({ ...about, ...compareEmbedded(profile, left, right) });
    }
    const outcome = await compareForReader({
      left,
      right,
      profile,
      judge: input.judge,
      count,
      withWords: !isBare,
      runs,
      protocol: form,
      temperature: heat,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
    });
    return fromModels({ ...outcome, result: { ...about, ...outcome.result } });
  },
  output: { kind: "reader-comparison", body: askedBody },
});

export const readerComparePairsTask = defineTask({
  name: "reader compare pairs",
  summary: "Which of two stories readers would prefer, for many pairs, and how often that was their own choice.",
  input: z.strictObject({
    in: pairs(
      'many at once, one pair per line: {"id", "history": [reviews], "comparisons": [earlier choices], "left": {…}, "right": {…}, "preferred": {"ending": "left", "overall": "right"}}; prints the accuracy where "preferred" is known',
    ),
    out: field(z.string(), "with {in}: one choice per line, - for standard output", { value: "FILE" }),
    ratingsScale,
    probe: field(z.boolean().default(false), "with {in} and a model: also ask whether it knows the stories already"),
    ...group(WITH_MODELS, { anonymise, anonymiseBy }),
    ...comparing,
  }),
  async run({ in: source, out, history: count, starsOnly: isBare, temperature: heat, ...input }, services) {
    if (input.judge === EMBEDDED && input.dryRun) return planWithoutModels<never>("predict two ratings for each line");
    const { comparePairs } = await import("./compare-pairs.ts");
    const outcome = await comparePairs({
      input: source,
      output: out,
      judge: input.judge,
      count,
      withWords: !isBare,
      runs: input.runs ?? 1,
      probe: input.probe,
      anonymise: levelOf(input),
      protocol: input.protocol,
      temperature: heat,
      ...defined({ ratingsScale: input.ratingsScale }),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromJudge(input.judge, { ...outcome, result: { judge: input.judge, ...outcome.result } });
  },
  output: { kind: "reader-choices", body: askedBody },
});

export const readerCurveTask = defineTask({
  name: "reader curve",
  summary: "How well a judge does with one earlier review, two, …, and whether their order matters.",
  input: z.strictObject({
    in: pairs('lines as for `reader predict`, with the true "rating", and "reader" where a reader has several lines'),
    judge: judge("any model, or the embedded predictor"),
    shortest: field(
      z.number().int().min(0).max(50).default(1),
      "the shortest history; 0 shows what a judge gives without knowing the reader",
      { value: "K" },
    ),
    longest: field(z.number().int().min(1).max(50).default(5), "the longest history", { value: "K" }),
    orders: field(
      z.number().int().min(1).max(20).default(3),
      "different orders of each history, at most as many as exist; the embedded predictor ignores order",
      { value: "N" },
    ),
    ratings: field(z.string().exactOptional(), "other readers' ratings of the same books, for matrix factorisation", {
      value: "FILE",
    }),
    ratingsScale,
    starsOnly,
    ...group(WITH_MODELS, { anonymise, anonymiseBy, protocol, temperature }),
    ...judgeRunFields,
  }),
  rules: [
    {
      fields: ["shortest"],
      when: ({ input }) => input.shortest > input.longest,
      sentence: "{this} is longer than {longest}: give a smaller one.",
    },
  ],
  async run({ in: source, shortest, longest, orders, ratings, temperature: heat, ...input }, services) {
    if (input.judge === EMBEDDED && input.dryRun)
      return planWithoutModels<never>("predict each line once for every length");
    const { historyCurve } = await import("./history-curve.ts");
    const outcome = await historyCurve({
      input: source,
      judge: input.judge,
      shortest,
      withWords: !input.starsOnly,
      anonymise: levelOf(input),
      protocol: input.protocol,
      longest,
      orders,
      ...defined({ ratings, ratingsScale: input.ratingsScale }),
      temperature: heat,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromJudge(input.judge, outcome);
  },
  output: { kind: "reader-curve", body: askedBody },
});

type Ranking =
  | ({ readonly kind: "predicted" } & PredictedRanking)
  | ({ readonly kind: "judged" } & BookRanking<JudgedBook>);

export const readerRankTask = defineTask({
  name: "reader rank",
  summary:
    "Rank a folder of books, or the to-read shelf of a library's export, by how much one reader would like them: without a model or network, or by a language model.",
  input: z.strictObject({
    books: field(
      z.string().exactOptional(),
      "a folder of books (EPUB, text, Word, PDF; NAME.json beside NAME.epub adds plot_summary, characters, genres; outlines with headings), a table of books (title, author, average_rating, genres, premise), or a Goodreads or StoryGraph export, whose to-read shelf is ranked [the profile's to-read shelf]",
      { value: "FOLDER|FILE" },
    ),
    reader: field(
      z.string().exactOptional(),
      "the reader: a profile's name, or a profile in a .json file [the reader whose export is given as {books}]",
      { flag: "profile", value: "PROFILE" },
    ),
    profiles: ofReader.profiles,
    ratingsScale,
    knownBooks,
    judge: judge(
      "who ranks: embedded, or a model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, …",
    ),
    ...group(WITH_MODELS, {
      history: history(3),
      orders: field(
        z.number().int().min(1).max(50).default(3),
        "ask a model about each book this many times, with the earlier reviews in a different order each time, or once for every order there is",
        { value: "N" },
      ),
      starsOnly,
      temperature,
      resume,
    }),
    ...alwaysResumed,
  }),
  async run({ books, reader, knownBooks: known, history: count, orders, ...input }, services): Promise<Asked<Ranking>> {
    const { rankBooks, rankBooksByJudge } = await import("./rank.ts");
    const profile = reader === undefined ? undefined : await profileFrom({ ...input, reader }, services.host);
    if (input.judge === EMBEDDED) {
      if (input.dryRun) return planWithoutModels(`rank the books of ${books ?? "the to-read shelf"}`);
      const { ratingsScale: scale } = input;
      return withoutModels({
        kind: "predicted",
        ...(await rankBooks(books, profile, services.onProgress, known, scale)),
      });
    }
    const outcome = await rankBooksByJudge({
      books,
      profile,
      knownBooks: known,
      ratingsScale: input.ratingsScale,
      judge: input.judge,
      count,
      orders,
      scale: 10,
      withWords: !input.starsOnly,
      temperature: input.temperature,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromModels({ ...outcome, result: { kind: "judged", ...outcome.result } });
  },
  output: {
    kind: "reader-ranking",
    body: ({ result, ...asked }) => {
      const { reader, unranked, alreadyRead } = result;
      const books = result.ranked.map((book) => {
        const { item, rank } = book;
        return { rank, file: item.file, title: item.title, ...figuresOf(book), missing: item.missing };
      });
      const basis = result.kind === "predicted" ? { basis: result.basis } : {};
      return askedBody({ ...asked, result: { reader, books, unranked, alreadyRead, ...basis } });
    },
  },
});

export const readerQuestionsTask = defineTask({
  name: "reader questions",
  summary:
    "Rate these five: of the books that a reader has read and not rated, those whose ratings would teach the predictor most about the to-read shelf.",
  input: z.strictObject({
    books: field(
      z.string().exactOptional(),
      "a Goodreads or StoryGraph export, or a table of books [the books of the profile]",
      { value: "FILE" },
    ),
    reader: field(
      z.string().exactOptional(),
      "the reader: a profile's name, or a profile in a .json file [the reader whose export is given as {books}]",
      { flag: "profile", value: "PROFILE" },
    ),
    profiles: ofReader.profiles,
    ratingsScale,
    count: field(z.number().int().min(1).max(50).default(5), "how many books to ask about", { value: "N" }),
  }),
  async run({ books, reader, count, ...input }, { host }) {
    const { readerQuestions } = await import("./rank.ts");
    const profile = reader === undefined ? undefined : await profileFrom({ ...input, reader }, host);
    return readerQuestions(books, profile, count, input.ratingsScale);
  },
  output: { kind: "reader-questions", body: (questions) => questions },
});

function figuresOf(book: PredictedBook | JudgedBook): object {
  if ("prediction" in book) {
    const { rating, interval, because, descriptionTrust, notes } = book.prediction;
    return { rating, interval, because, descriptionTrust, notes };
  }
  const { rating, interval, scores, review } = book;
  return { rating, interval, scores, review };
}

const reviewing = {
  judge: field(z.string(), "the model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, …", {
    value: "MODEL",
  }),
  history: history(3),
  scale: field(z.enum(["5", "10"]).default("10"), "score from 1 to this", { value: "N" }),
  orders: field(
    z.number().int().min(1).max(50).default(1),
    "ask this many times, with the earlier reviews in a different order each time, or once for every order there is, and show the spread",
    { value: "N" },
  ),
  probe: field(
    z.boolean().default(false),
    "also ask whether the model knows the story already; with many, the agreement is split by it",
    { help: "also ask whether the model knows the story already; with --in, the agreement is split by it" },
  ),
  anonymise,
  anonymiseBy,
  starsOnly,
  protocol,
  temperature,
  ...spending,
};
const NO_REVIEWER = {
  fields: ["judge"],
  when: ({ input }: { readonly input: { readonly judge: string } }) => input.judge === EMBEDDED,
  sentence: "{this} takes a model: the embedded predictor writes no reviews; `fabula reader predict` gives its rating.",
} as const;
type Reviewing = z.output<z.ZodObject<typeof reviewing>>;

function reviewSettings({ judge: model, history: count, scale, orders, probe, ...input }: Reviewing) {
  const isOfFive = scale === "5";
  const { starsOnly: isBare, temperature: heat, protocol: form } = input;
  const shown = { anonymise: levelOf(input), withWords: !isBare, protocol: form };
  const asked = { judge: model, count, orders, probe, ...shown, temperature: heat };
  return { ...asked, scale: isOfFive ? (5 as const) : (10 as const) };
}

export const readerReviewTask = defineTask({
  name: "reader review",
  summary: "Have a model write the review that one reader would write of a story, and give that reader's score.",
  input: z.strictObject({
    story: field(z.string(), "the story", { operand: "[STORY]" }),
    ...ofReader,
    ...reviewing,
  }),
  rules: [NO_REVIEWER],
  async run(input, services) {
    const { reviewForReader } = await import("./review.ts");
    const { readStoryFile } = await import("../books/described-story.ts");
    const profile = await profileFrom(input, services.host);
    const outcome = await reviewForReader({
      story: await readStoryFile(input.story),
      profile,
      ...reviewSettings(input),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
    });
    const { verdict } = outcome.result.review.spread;
    return fromModels({ ...outcome, result: { reader: profile.name, verdict, ...outcome.result } });
  },
  output: { kind: "reader-review", body: askedBody },
});

export const readerReviewPairsTask = defineTask({
  name: "reader review pairs",
  summary: "Have a model write the reviews of many readers, and measure the agreement where the true rating is known.",
  input: z.strictObject({
    in: pairs(
      'many readers and stories at once, lines as for `reader predict`, with "rating" where the true one is known: prints the agreement',
    ),
    out: field(z.string(), "with {in}: one review per line", { value: "FILE" }),
    ratingsScale,
    ...reviewing,
  }),
  rules: [NO_REVIEWER],
  async run(input, services) {
    const { reviewPairs } = await import("../reviews/review-pairs.ts");
    const outcome = await reviewPairs({
      ...reviewSettings(input),
      input: input.in,
      output: input.out,
      ...defined({ ratingsScale: input.ratingsScale }),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromModels(outcome);
  },
  output: { kind: "reader-groups", body: askedBody },
});

const weights = field(
  z.string().exactOptional(),
  "weights from `npm run train -- personal` instead of those that ship",
  { value: "FILE" },
);

export const readerPredictTask = defineTask({
  name: "reader predict",
  summary: "Predict how readers will rate stories, from a few of their earlier reviews; needs no model and no network.",
  input: z.strictObject({
    story: field(z.string(), "the story", { operand: "[STORY]" }),
    ...ofReader,
    reader: field(ofReader.reader, "with STORY: the reader, a profile's name or a profile in a .json file", {
      flag: "as",
      value: "PROFILE",
    }),
    knownBooks,
    weights,
  }),
  async run(input, { host }) {
    const { predictForProfile } = await import("./predict.ts");
    const { knownBooks: readKnownBooks } = await import("./reader-profiles.ts");
    const { readStoryFile } = await import("../books/described-story.ts");
    const complete = await readKnownBooks(input.knownBooks);
    const story = complete(await readStoryFile(input.story));
    const { name, reviews, ...profile } = await profileFrom(input, host);
    const reader = { ...profile, name, reviews: reviews.map(complete) };
    return { reader: name, ...predictForProfile(reader, story, input.weights) };
  },
  output: {
    kind: "reader-prediction",
    body: ({ reader, prediction, view }) => ({ reader, ...prediction, general: view?.general ?? null }),
  },
});

export const readerPredictPairsTask = defineTask({
  name: "reader predict pairs",
  summary: "Predict many ratings, each from a line with a reader's earlier reviews and a story.",
  input: z.strictObject({
    in: pairs(
      'many at once, one pair per line: {"id", "history": [{"title", "genres", "premise", "plot_summary", "characters", "rating", "review"}], "query": {…, "average_rating"?}}; - is standard input',
    ),
    out: field(z.string(), "one prediction per line, - for standard output", { value: "FILE" }),
    ratingsScale,
    weights,
    baseline: field(
      z.enum(BASELINES).exactOptional(),
      "with {in}: predict with a simple baseline instead, for comparison; matrix-factorisation also takes {ratings}",
      { value: "NAME" },
    ),
    ratings: field(
      z.string().exactOptional(),
      "other readers' ratings of the same books, one per line: book (its id or title), reviewer, rating",
      { value: "FILE" },
    ),
  }),
  async run({ in: input, out: output, ratingsScale: scale, ...given }, { onProgress }) {
    const { predictRatings } = await import("./predict.ts");
    return predictRatings({ input, output, ...defined({ ...given, scale }), onProgress });
  },
  output: { kind: "predicted-ratings", body: (report) => report },
});

const WITH_MODEL = {
  ...WITH_READER,
  refused: {
    unless: ({ model }: { readonly model?: unknown }) => model !== undefined,
    sentence: "{this} goes with {model} MODEL: without one no model is asked and nothing is spent.",
  },
};
const { store, ...spent } = spending;

export const readerDatasetTask = defineTask({
  name: "reader dataset",
  summary:
    "Build conversations to tune a personal judge on: anonymised stories, histories sampled for each reader, split by reader.",
  input: z.strictObject({
    stories: field(z.string().exactOptional(), "JSONL: id, title, genres, premise, plot_summary, characters", {
      value: "FILE",
    }),
    reviews: field(
      z.string().exactOptional(),
      "JSONL: book, reviewer, rating (1–5), and review, or aspects and conclusion",
      {
        value: "FILE",
      },
    ),
    pairs: field(
      z.string().exactOptional(),
      'lines as for `reader compare`, with "reader", "comparisons" and "preferred" by aspect, or Per-DOC as released: choices on one aspect to train on, in PerSE\'s form',
      { value: "FILE" },
    ),
    ratingsScale: field(
      ratingsScale,
      "with {pairs}: the highest rating on the file's scale [5 stars; higher ratings are refused]",
      { value: "N" },
    ),
    protocol,
    out: field(z.string(), "where train.jsonl, validation.jsonl and names.jsonl go", { value: "FOLDER" }),
    model: field(
      z.string().exactOptional(),
      "makes new names and retells the plots; without it the stories stay as they are",
      { value: "MODEL" },
    ),
    language: field(z.string().default("en"), "the language of the stories", { value: "CODE" }),
    history: field(z.number().int().min(0).max(50).default(3), "reviews per history", { flag: "k", value: "N" }),
    samples: field(z.number().int().min(1).max(1000).default(10), "histories drawn per reader", { value: "N" }),
    minimumReviews: field(z.number().int().min(1).default(6), "readers with fewer are dropped", { value: "N" }),
    validation: field(z.number().min(0).max(0.9).default(0.06), "share of readers kept for validation", {
      value: "SHARE",
    }),
    maxWords: field(
      z.number().int().min(200).exactOptional(),
      "longest prompt: histories are shortened to fit; without it every history keeps its {history} reviews",
      { value: "N" },
    ),
    scale: field(z.enum(["5", "10"]).default("10"), "scores from 1 to this", { value: "N" }),
    seed: field(z.number().int().min(0).default(1), "the same seed draws the same histories", { value: "N" }),
    ...group(WITH_MODEL, {
      ...spent,
      anonymiseBy: field(
        anonymiseBy,
        "what {model} changes: the names, the plot, retold as a summary, or both [both]",
        { value: "HOW" },
      ),
    }),
    store,
  }),
  rules: [
    {
      fields: ["stories", "reviews"],
      when: ({ input }) => (input.stories === undefined) !== (input.reviews === undefined),
      sentence: "{stories} and {reviews} go together: give both.",
    },
    {
      fields: ["ratingsScale"],
      when: ({ input }) => input.ratingsScale !== undefined && input.pairs === undefined,
      sentence: "{this} goes with {pairs}: the ratings of {reviews} are from 1 to 5.",
    },
  ],
  async run(input, services) {
    const { buildReaderDataset } = await import("./dataset.ts");
    const { stories, reviews, out: folder, model, language, samples, minimumReviews, seed } = input;
    if (input.pairs === undefined && stories === undefined) {
      throw new FabulaError("E_USAGE", "Give --stories and --reviews, or --pairs.");
    }
    const outcome = await buildReaderDataset({
      ...{ folder, language, samples, minimumReviews, seed, protocol: input.protocol },
      ...defined({ model, pairs: input.pairs, ratingsScale: input.ratingsScale }),
      ...(stories !== undefined && reviews !== undefined && { reviewed: { stories, reviews } }),
      anonymise: input.anonymiseBy ?? "both",
      count: input.history,
      validationShare: input.validation,
      maximumWords: input.maxWords ?? null,
      scale: input.scale === "5" ? 5 : 10,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromModels(outcome);
  },
  output: { kind: "reader-dataset", body: askedBody },
});
