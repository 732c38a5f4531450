import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../../core/files/make-folder.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import type { Replacement } from "../../judge/anonymise/name-map.ts";
import { replaceNames } from "../../judge/anonymise/replace-names.ts";
import { loadPrompt, promptLanguage } from "../../prompts/load-prompt.ts";
import { buildDataset, type DatasetReview } from "../../reader/dataset/build-examples.ts";
import { prepareStory } from "../../reader/dataset/prepare-story.ts";
import { FIVE, TEN } from "../../reader/evaluation/score-scale.ts";
import { reviewSchema, type Story, storySchema } from "../../reader/predictor/story.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";

const storyRow = storySchema.extend({ id: z.string() });
const reviewRow = z.object({
  book: z.string(),
  reviewer: z.string(),
  rating: z.number().min(0.5).max(5),
  review: reviewSchema,
  aspects: z.record(z.string(), z.string()).optional(),
  conclusion: z.string().nullish(),
});

export interface ReaderDatasetRequest {
  readonly stories: string;
  readonly reviews: string;
  readonly folder: string;
  /** The model that makes new names and retells the plots; absent to take the stories as they are. */
  readonly model?: string;
  readonly language: string;
  readonly count: number;
  readonly samples: number;
  readonly minimumReviews: number;
  readonly validationShare: number;
  readonly maximumWords: number;
  readonly scale: 5 | 10;
  readonly seed: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

export interface ReaderDatasetReport {
  readonly train: number;
  readonly validation: number;
  readonly readers: { readonly kept: number; readonly dropped: number };
  readonly shortened: number;
  readonly tooLong: number;
  readonly stories: number;
  /** Stories that could not be made unrecognisable, by reason: their reviews are left out. */
  readonly unprepared: Readonly<Record<string, number>>;
  readonly reviewsWithoutWords: number;
}

interface Prepared {
  readonly story: Story;
  readonly names: readonly Replacement[];
}

/** Stories and reviews → conversations to tune a personal judge on, split by reader: PerSE's data construction. */
export async function buildReaderDataset(request: ReaderDatasetRequest): Promise<RunOutcome<ReaderDatasetReport>> {
  const stories = await readJsonLines(request.stories, storyRow);
  const language = promptLanguage(request.language);
  return inRun(request.settings, request.services, async (run) => {
    const unprepared: Record<string, number> = {};
    const prepared = new Map<string, Prepared>();
    const model = request.model === undefined ? null : await run.model(request.model);
    let done = 0;
    await mapBounded(stories, run.concurrency, async ({ id, ...story }) => {
      if (!model) prepared.set(id, { story, names: [] });
      else {
        const outcome = await prepareStory(model, story, language, request.services.signal);
        if (outcome.kind === "prepared") prepared.set(id, outcome);
        else unprepared[outcome.reason] = (unprepared[outcome.reason] ?? 0) + 1;
      }
      request.onProgress({ stage: "stories", done: ++done, total: stories.length });
    });
    const { reviews, reviewsWithoutWords } = await usableReviews(request.reviews, prepared);
    const dataset = buildDataset(reviews, {
      template: await loadPrompt("personal-review", language),
      language,
      scale: request.scale === 10 ? TEN : FIVE,
      count: request.count,
      samples: request.samples,
      minimumReviews: request.minimumReviews,
      validationShare: request.validationShare,
      maximumWords: request.maximumWords,
      random: seededRandom(request.seed),
    });
    if (!run.dryRun) {
      await makeFolder(request.folder);
      await writeJsonLines(join(request.folder, "train.jsonl"), dataset.train);
      await writeJsonLines(join(request.folder, "validation.jsonl"), dataset.validation);
      const maps = [...prepared].filter(([, { names }]) => names.length > 0).map(([id, { names }]) => ({ id, names }));
      if (maps.length > 0) await writeJsonLines(join(request.folder, "names.jsonl"), maps);
    }
    const { readers, shortened, tooLong } = dataset;
    return {
      train: dataset.train.length,
      validation: dataset.validation.length,
      readers,
      shortened,
      tooLong,
      stories: prepared.size,
      unprepared,
      reviewsWithoutWords,
    };
  });
}

/** Reviews of prepared stories, with the same names replaced as in the story. One per reader and story: the last. */
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
    const { reviewer, rating } = row;
    const review = replaceNames(words, story.names);
    reviews.set(`${reviewer}\u0000${row.book}`, { reviewer, rating, review, story: story.story });
  }
  return { reviews: [...reviews.values()], reviewsWithoutWords };
}
