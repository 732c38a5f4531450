import { FabulaError } from "../core/errors.ts";
import type { Forecast, NoForecast } from "../forecast/forecast.ts";
import type { ForecastInput } from "../forecast/forecast-input.ts";
import { loadPersonalModel } from "../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../reader/predictor/predict-rating.ts";
import { onRatingScale } from "../reader/predictor/rating-scale.ts";
import { type PastReview, pairSchema, type Story } from "../reader/predictor/story.ts";
import { bookStory } from "../tasks/books/described-story.ts";
import { forecastTask } from "../tasks/books/forecast.ts";
import { openBook } from "../tasks/books/open-book.ts";
import { type BookInput, isBookInput } from "../tasks/define/shared-fields.ts";
import { type CommonOptions, interruptible } from "./options.ts";
import { taskFunction } from "./task-function.ts";
import type { ForecastOptions } from "./task-options.ts";

/** The reader whose rating is predicted. */
export interface PredictReaderOptions extends CommonOptions {
  /** The reader's ratings of other stories; at least three are needed to be informative. */
  readonly history: readonly Partial<PastReview>[];
  /** A file of weights trained elsewhere; by default those that ship. */
  readonly weights?: string;
}

/** Forecasts the average reader rating of a book, an outline, or a description of one. */
export const forecastRating: (
  source: BookInput | ForecastInput,
  options?: ForecastOptions,
) => Promise<Forecast | NoForecast> = taskFunction(forecastTask, async (run) => (await run())[0]!.forecast);

/** Predicts how one reader would rate a story, from that reader's earlier reviews. */
export function predictReader(
  source: BookInput | Partial<Story>,
  options: PredictReaderOptions,
): Promise<PersonalPrediction> {
  return interruptible(options, async () => {
    const story = isBookInput(source) ? bookStory(await openBook(source)) : source;
    const pair = onRatingScale(pairSchema, undefined).safeParse({ id: 1, history: options.history, query: story });
    if (!pair.success) {
      const place = pair.error.issues[0]!.path.join(".");
      throw new FabulaError(
        "E_RATING_SCALE",
        `${place} is below zero or more than five stars: give ratings from 1 to 5.`,
      );
    }
    const { history, query } = pair.data;
    return personalPredictor(loadPersonalModel(options.weights))({ history, query });
  });
}
