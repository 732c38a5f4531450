import { z } from "zod";
import { contentHash } from "../../src/core/hash.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { forecastInputSchema } from "../../src/forecast/forecast-input.ts";
import type { ForecastModel } from "../../src/forecast/forecast-model.ts";
import type { AspectMapper } from "../../src/reviews/map-aspect.ts";
import type { StructuredReview } from "../../src/reviews/structured-review.ts";
import { quantiles } from "../../src/stats/index.ts";
import { measureAppeal } from "./aspect-appeal.ts";
import { calibrateAll } from "./calibrate.ts";
import { crossValidate, type OutOfFold } from "./cross-validation.ts";
import { blockReader, learn, type Target } from "./learn.ts";
import { type DesignChoice, selectDesign } from "./select-design.ts";

export const ratedBookSchema = forecastInputSchema.extend({
  id: z.string().min(1),
  average_rating: z.number().min(1).max(5),
  /** How many readers gave five stars, four, … one. */
  ratings_5_to_1: z.array(z.number().nonnegative()).length(5),
});
export type RatedBook = z.output<typeof ratedBookSchema>;

export interface TrainingData {
  readonly books: readonly RatedBook[];
  readonly reviews: readonly StructuredReview[];
  readonly aspects: readonly string[];
  readonly map: AspectMapper;
}

export interface TrainedForecast {
  readonly model: ForecastModel;
  readonly unseen: OutOfFold;
  readonly targets: readonly [Target, ...Target[]];
  readonly choice: DesignChoice;
}

const FOLDS = 10;

export function trainForecast(
  { books, reviews, aspects, map }: TrainingData,
  options: { readonly seed: number; readonly onProgress: ProgressListener },
): TrainedForecast {
  const progress = (done: number, note: string) =>
    options.onProgress({ stage: "Training", done, total: FOLDS + 3, note });
  progress(0, "measuring how readers speak of each aspect");
  const ids = books.map(({ id }) => id);
  const appeal = measureAppeal(ids, reviews, aspects, map);
  const targets: [Target, ...Target[]] = [ratingTarget(books), ...appeal.values()];
  progress(1, "cross-validation");
  const unseen = crossValidate(books, targets, {
    folds: FOLDS,
    random: seededRandom(options.seed),
    onFold: (done) => progress(done + 1, "cross-validation"),
  });
  progress(FOLDS + 1, "choosing the design by the same rule on all books");
  const blockOf = blockReader(books);
  const choice = selectDesign(blockOf, targets[0]);
  const linear = learn(blockOf, choice.design, targets);
  progress(FOLDS + 3, "done");
  const model: ForecastModel = {
    ...linear,
    names: ["rating", ...appeal.keys()],
    calibration: calibrateAll(unseen, targets),
    percentiles: targets.map(({ values }) => percentilesOf(values)),
    training: {
      books: books.length,
      reviews: reviews.length,
      dataHash: contentHash(books),
      design: choice.design,
    },
  };
  return { model, unseen, targets, choice };
}

/** Average ratings; the average of few ratings is a less certain measurement than that of many. */
export function ratingTarget(books: readonly RatedBook[]): Target {
  const variance = books.map(({ ratings_5_to_1: stars, average_rating: mean }) => {
    const count = stars.reduce((sum, value) => sum + value, 0);
    if (count === 0) return 1;
    return stars.reduce((sum, value, place) => sum + value * (5 - place - mean) ** 2, 0) / count ** 2;
  });
  return {
    values: Float64Array.from(books, ({ average_rating }) => average_rating),
    variance: Float64Array.from(variance),
  };
}

function percentilesOf(values: Float64Array): number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  return quantiles(
    known,
    Array.from({ length: 101 }, (_, mark) => mark / 100),
  );
}
