import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../src/core/errors.ts";
import { writeWholeFile } from "../../src/core/files.ts";
import { readJsonLines } from "../../src/core/json-lines.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { topLevel } from "../../src/criteria/rubric.ts";
import { designInWords } from "../../src/forecast/forecast-design.ts";
import { encodeForecast, WEIGHTS_FILE } from "../../src/forecast/forecast-model.ts";
import { mainGenre } from "../../src/reviews/aspect-importance.ts";
import { loadAspectVocabulary } from "../../src/reviews/aspect-vocabulary.ts";
import { aspectMapper } from "../../src/reviews/map-aspect.ts";
import { structuredReviewSchema } from "../../src/reviews/structure-review.ts";
import { type ForecastQuality, measureForecast } from "./measure-forecast.ts";
import { audiencesOf, type RatedBook, ratedBookSchema, trainForecast } from "./train-forecast.ts";

export interface ForecastTraining {
  readonly books: string;
  readonly reviews: string;
  readonly seed: number;
  /** The folder to write weights and figures into; null to measure alone. */
  readonly out: string | null;
  readonly onProgress: ProgressListener;
}

/** A design, how well it does on held-out books within all of them, and how many of the folds chose it for themselves. */
export interface ComparedDesign {
  readonly design: string;
  readonly kendall: number;
  readonly chosen: boolean;
  readonly folds: number;
}

export interface TrainedQuality extends ForecastQuality {
  readonly designs: readonly ComparedDesign[];
  readonly bytes: number;
}

const FEWEST_BOOKS = 50;

/** Pairs of books are compared that readers put under one main genre first, and those whose first two genres are the same. */
function groupsOf(books: readonly RatedBook[]) {
  return {
    audiences: audiencesOf(books),
    authors: books.map(({ author }) => author),
    genres: books.map(({ genres }) => mainGenre(genres ?? [])),
    kinds: books.map(({ genres }) => (genres && genres.length >= 2 ? genres.slice(0, 2).join(", ") : null)),
  };
}

/** Books and reviews → weights, and how well they forecast books they have not seen. */
export async function trainForecastFrom(training: ForecastTraining): Promise<TrainedQuality> {
  const { onProgress } = training;
  onProgress({ stage: "Reading", done: 0, total: null, note: training.books });
  const books = await readJsonLines(training.books, ratedBookSchema);
  if (books.length < FEWEST_BOOKS) {
    throw new FabulaError(
      "E_TOO_FEW_BOOKS",
      `${training.books} has ${books.length} books: a forecast needs at least ${FEWEST_BOOKS} to learn from.`,
    );
  }
  const reviews = await readJsonLines(training.reviews, structuredReviewSchema);
  const rubric = await loadRubric("long-story");
  const map = aspectMapper(await loadAspectVocabulary(), rubric);
  const aspects = topLevel(rubric).map(({ id }) => id);
  const { model, unseen, targets, choice } = trainForecast(
    { books, reviews, aspects, map },
    { seed: training.seed, onProgress },
  );
  const designs = choice.scores.map(({ design, kendall }) => ({
    design: designInWords(design),
    kendall,
    chosen: design === choice.design,
    folds: unseen.designs.filter((chosen) => chosen === design).length,
  }));
  const quality = { ...measureForecast(unseen, targets, model.names, groupsOf(books)), designs };
  if (training.out === null) return { ...quality, bytes: 0 };
  await mkdir(training.out, { recursive: true });
  const weights = encodeForecast(model);
  await writeWholeFile(join(training.out, WEIGHTS_FILE), weights);
  await writeWholeFile(join(training.out, "measured.json"), `${JSON.stringify(quality, null, 2)}\n`);
  return { ...quality, bytes: weights.length };
}
