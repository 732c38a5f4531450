import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { groupBy } from "../../core/group-by.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type Random, seededRandom, shuffled } from "../../core/random.ts";
import { type Replacement, replaceNames } from "../../judge/anonymise.ts";
import { loadPrompt, promptLanguage } from "../../prompts/load-prompt.ts";
import {
  type Anonymised,
  type AspectConversation,
  aspectConversations,
  type BookNames,
  bookNames,
  buildDataset,
  type Conversation,
  type Dataset,
  type DatasetReview,
  datasetInfo,
  maskBook,
  type NameKind,
  namesLeft,
  ordinaryWords,
  prepareStory,
  trainingRow,
} from "../../reader/dataset.ts";
import { FIVE, TEN } from "../../reader/evaluation/score-scale.ts";
import type { Protocol } from "../../reader/perse.ts";
import { onRatingScale } from "../../reader/predictor/rating-scale.ts";
import { reviewSchema, type Story, storySchema } from "../../reader/predictor/story.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { personalInstructions } from "./compare.ts";
import { type ChoiceLine, choiceLineSchema } from "./compare-pairs.ts";

const storyRow = storySchema.extend({ id: z.string(), author: z.string().nullish().catch(undefined) });
const reviewRow = z.object({
  book: z.string(),
  reviewer: z.string(),
  rating: z.number().min(0.5).max(5),
  review: reviewSchema,
  aspects: z.record(z.string(), z.string()).optional(),
  conclusion: z.string().nullish(),
});

export interface ReaderDatasetRequest {
  /** Stories and what readers said of them; absent when there are only choices between two. */
  readonly reviewed?: { readonly stories: string; readonly reviews: string };
  /**
   * Input lines of `reader compare` with readers' true preferences by aspect: the training data of PerSE's
   * comparisons.
   */
  readonly pairs?: string;
  /** The highest rating on the scale of those lines; 5 stars by default. */
  readonly ratingsScale?: number;
  readonly folder: string;
  /** The model that invents new names and retells the plots; without it the stories are used unchanged. */
  readonly model?: string;
  /** What that model changes. */
  readonly anonymise?: Anonymised;
  readonly protocol?: Protocol;
  readonly language: string;
  readonly count: number;
  readonly samples: number;
  readonly minimumReviews: number;
  readonly validationShare: number;
  /** Null keeps every history whole. */
  readonly maximumWords: number | null;
  readonly scale: 5 | 10;
  readonly seed: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

export interface ReaderDatasetReport {
  readonly train: number;
  readonly validation: number;
  readonly comparisons: { readonly train: number; readonly validation: number };
  /** Choices on one aspect, from pairs with labels. */
  readonly aspects: { readonly train: number; readonly validation: number };
  /** Conversations that still name one of their books, by what names it; null if names were not changed. */
  readonly leaks: DatasetLeaks | null;
  readonly readers: { readonly kept: number; readonly dropped: number };
  readonly shortened: number;
  readonly tooLong: number;
  readonly stories: number;
  /** How many stories could not be anonymised, by reason; their reviews are left out. */
  readonly unprepared: Readonly<Record<string, number>>;
  readonly reviewsWithoutWords: number;
}

export interface DatasetLeaks {
  readonly conversations: number;
  readonly named: number;
  readonly by: Readonly<Record<NameKind, number>>;
}

/** An anonymised data set is not written if a larger share of its conversations than this still names a book. */
const MOST_LEAKS = 0.01;

interface Prepared {
  readonly story: Story;
  readonly names: readonly Replacement[];
  /** Names that would identify the book; null if names were not changed. */
  readonly given: BookNames | null;
}

/** Turns stories and reviews into conversations for fine-tuning a personal judge, split by reader, as PerSE does. */
export async function buildReaderDataset(request: ReaderDatasetRequest): Promise<RunOutcome<ReaderDatasetReport>> {
  const stories = request.reviewed ? await readJsonLines(request.reviewed.stories, storyRow) : [];
  const labelled = request.pairs === undefined ? [] : await readLabelled(request.pairs, request.ratingsScale);
  const language = promptLanguage(request.language);
  return inRun(request.settings, request.services, async (run) => {
    const unprepared: Record<string, number> = {};
    const prepared = new Map<string, Prepared>();
    const model = request.model === undefined ? null : await run.model(request.model);
    let done = 0;
    await mapBounded(stories, run.concurrency, async ({ id, author, ...story }) => {
      if (!model) prepared.set(id, { story, names: [], given: null });
      else {
        const outcome = await prepareStory(model, story, language, request.services.signal, request.anonymise);
        if (outcome.kind === "prepared") {
          const given = bookNames({ ...story, ...(author && { author }) }, outcome.names);
          prepared.set(id, { story: outcome.story, names: outcome.names, given });
        } else unprepared[outcome.reason] = (unprepared[outcome.reason] ?? 0) + 1;
      }
      request.onProgress({ stage: "stories", done: ++done, total: stories.length });
    });
    const { reviews, reviewsWithoutWords, ordinary } = request.reviewed
      ? await usableReviews(request.reviewed.reviews, prepared)
      : { reviews: [], reviewsWithoutWords: 0, ordinary: new Set<string>() };
    const random = seededRandom(request.seed);
    const dataset = buildDataset(reviews, {
      templates: {
        review: await (request.protocol === "perse"
          ? loadPrompt("perse-review", "en")
          : loadPrompt("personal-review", language)),
        compare: await loadPrompt("personal-compare", language),
      },
      protocol: request.protocol ?? "fabula",
      language,
      scale: request.scale === 10 ? TEN : FIVE,
      count: request.count,
      samples: request.samples,
      minimumReviews: request.minimumReviews,
      validationShare: request.validationShare,
      maximumWords: request.maximumWords,
      random,
    });
    const { train, validation, readers, shortened, tooLong } = dataset;
    const aspects = await splitAspects(labelled, dataset, request, random);
    const conversations = [train, validation].flatMap((split) => [...split.reviews, ...split.comparisons]);
    const leaks =
      model === null || request.anonymise === "summary" ? null : countLeaks(conversations, prepared, ordinary);
    if (!run.dryRun) {
      refuseLeaks(leaks);
      await writeDataset(request.folder, dataset, aspects);
      const maps = [...prepared].filter(([, { names }]) => names.length > 0).map(([id, { names }]) => ({ id, names }));
      if (maps.length > 0) await writeJsonLines(join(request.folder, "names.jsonl"), maps);
    }
    return {
      train: train.reviews.length,
      validation: validation.reviews.length,
      comparisons: { train: train.comparisons.length, validation: validation.comparisons.length },
      aspects: { train: aspects.train.length, validation: aspects.validation.length },
      leaks,
      readers,
      shortened,
      tooLong,
      stories: prepared.size,
      unprepared,
      reviewsWithoutWords,
    };
  });
}

const FILES = {
  reviews: { train: "train.jsonl", validation: "validation.jsonl" },
  comparisons: { train: "comparisons-train.jsonl", validation: "comparisons-validation.jsonl" },
  aspects: { train: "aspects-train.jsonl", validation: "aspects-validation.jsonl" },
} as const;

interface AspectSplit {
  readonly train: readonly AspectConversation[];
  readonly validation: readonly AspectConversation[];
}

function readLabelled(path: string, scale: number | undefined): Promise<ChoiceLine[]> {
  return readJsonLines(path, onRatingScale(choiceLineSchema, scale, path));
}

/** Split by reader: a reader whose reviews are for validation is not used for training on choices. */
async function splitAspects(
  lines: readonly ChoiceLine[],
  dataset: Dataset,
  { count, validationShare }: ReaderDatasetRequest,
  random: Random,
): Promise<AspectSplit> {
  if (lines.length === 0) return { train: [], validation: [] };
  const readersOf = (split: Dataset["train"]) => new Set(split.reviews.map(({ reviewer }) => reviewer));
  const [taught, held] = [readersOf(dataset.train), readersOf(dataset.validation)];
  const pairs = lines.flatMap(({ id, reader, left, right, comparisons, preferred }) =>
    preferred ? [{ reader: String(reader ?? id), left, right, comparisons, preferred }] : [],
  );
  const others = new Set(
    pairs.map(({ reader }) => reader).filter((reader) => !taught.has(reader) && !held.has(reader)),
  );
  for (const reader of shuffled([...others], random).slice(0, Math.round(others.size * validationShare)))
    held.add(reader);
  const { criteria } = await personalInstructions("en", 0);
  const made = aspectConversations(pairs, {
    template: await loadPrompt("perse-compare", "en"),
    aspects: criteria,
    count: Math.max(1, count),
  });
  if (made.length === 0) {
    throw new FabulaError(
      "E_EMPTY",
      `No pair has both a choice on one of the five aspects in "preferred" and an earlier one on it in "comparisons".`,
    );
  }
  return {
    train: made.filter(({ reviewer }) => !held.has(reviewer)),
    validation: made.filter(({ reviewer }) => held.has(reviewer)),
  };
}

async function writeDataset(folder: string, dataset: Dataset, aspects: AspectSplit): Promise<void> {
  await makeFolder(folder);
  const hasAspects = aspects.train.length + aspects.validation.length > 0;
  for (const split of ["train", "validation"] as const) {
    for (const kind of ["reviews", "comparisons"] as const)
      await writeJsonLines(join(folder, FILES[kind][split]), dataset[split][kind].map(trainingRow));
    if (hasAspects) await writeJsonLines(join(folder, FILES.aspects[split]), aspects[split].map(trainingRow));
  }
  const info = datasetInfo({
    perse_train: FILES.reviews.train,
    perse_validation: FILES.reviews.validation,
    perse_comparisons_train: FILES.comparisons.train,
    perse_comparisons_validation: FILES.comparisons.validation,
    ...(hasAspects && { perse_aspects_train: FILES.aspects.train, perse_aspects_validation: FILES.aspects.validation }),
  });
  await writeWholeFile(join(folder, "dataset_info.json"), `${JSON.stringify(info, null, 2)}\n`);
}

/** A conversation leaks when any message in it names the title, the author or a character of any story in it. */
function countLeaks(
  conversations: readonly Conversation[],
  prepared: ReadonlyMap<string, Prepared>,
  ordinary: ReadonlySet<string>,
): DatasetLeaks {
  const by: Record<NameKind, number> = { title: 0, author: 0, character: 0 };
  let named = 0;
  for (const { books, messages } of conversations) {
    const text = messages.map(({ content }) => content).join("\n");
    const left = new Set(books.flatMap((book) => namesLeft(text, prepared.get(book)!.given!, ordinary)));
    for (const kind of left) by[kind]++;
    if (left.size > 0) named++;
  }
  return { conversations: conversations.length, named, by };
}

function refuseLeaks(leaks: DatasetLeaks | null): void {
  if (leaks === null || leaks.named <= MOST_LEAKS * leaks.conversations) return;
  const { title, author, character } = leaks.by;
  throw new FabulaError(
    "E_DATASET_LEAK",
    `${leaks.named} of ${leaks.conversations} conversations still name their books (titles ${title}, authors ${author}, characters ${character}), more than 1%, so nothing was written: add "author" and "characters" to the stories, or use a model that makes better name maps.`,
  );
}

/**
 * Reviews of prepared stories, with names replaced as in the story, and with other books by name that the same reader
 * reviewed masked. One per reader and story: the last.
 */
async function usableReviews(path: string, prepared: ReadonlyMap<string, Prepared>) {
  const reviews = new Map<string, DatasetReview>();
  let reviewsWithoutWords = 0;
  for await (const row of jsonLines(path, reviewRow)) {
    const story = prepared.get(row.book);
    if (!story) continue;
    const words = row.review ?? [...Object.values(row.aspects ?? {}), row.conclusion ?? ""].join("\n").trim();
    if (!words) {
      reviewsWithoutWords++;
      continue;
    }
    const { reviewer, rating, book } = row;
    reviews.set(`${reviewer}\u0000${book}`, { reviewer, rating, book, review: words, story: story.story });
  }
  if (reviews.size === 0) {
    throw new FabulaError(
      "E_EMPTY",
      `"${path}" has no review with words of any of the stories: "book" must be the "id" of a story.`,
    );
  }
  const ordinary = ordinaryWords(Array.from(reviews.values(), ({ review }) => review));
  return { reviews: masked([...reviews.values()], prepared, ordinary), reviewsWithoutWords, ordinary };
}

function masked(
  reviews: readonly DatasetReview[],
  prepared: ReadonlyMap<string, Prepared>,
  ordinary: ReadonlySet<string>,
): DatasetReview[] {
  const byReader = groupBy(reviews, ({ reviewer }) => reviewer);
  return reviews.map((review) => {
    const own = prepared.get(review.book)!;
    if (own.given === null) return review;
    const reviewedNames = byReader.get(review.reviewer)!.map(({ book }) => prepared.get(book)!.given!);
    const hide = (text: string) => reviewedNames.reduce((rest, names) => maskBook(rest, names, ordinary), text);
    const plot = own.story.plot_summary;
    return {
      ...review,
      review: hide(replaceNames(review.review, own.names)),
      story: { ...own.story, ...(plot !== undefined && { plot_summary: hide(plot) }) },
    };
  });
}
