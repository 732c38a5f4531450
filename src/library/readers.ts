import { FabulaError } from "../core/errors.ts";
import type { Forecast, NoForecast } from "../forecast/forecast.ts";
import { type ForecastInput, forecastInputSchema } from "../forecast/forecast-input.ts";
import { loadForecaster } from "../forecast/load-forecaster.ts";
import { loadPersonalModel } from "../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../reader/predictor/predict-rating.ts";
import { onRatingScale } from "../reader/predictor/rating-scale.ts";
import { type PastReview, pairSchema, type Story } from "../reader/predictor/story.ts";
import { forecastFile, inputOfBook } from "../workflows/books/forecast-books.ts";
import { bookStory } from "../workflows/books/reading/book-story.ts";
import { type CommonOptions, interruptible } from "./options.ts";
import { type BookInput, openSource } from "./source.ts";

/** How a rating is forecast. */
export interface ForecastOptions extends CommonOptions {
  /** A folder with a forecast trained elsewhere; the one that ships unless given. */
  readonly model?: string;
  /** How many reasons are given: 10 unless given. */
  readonly reasons?: number;
}

/** For whom a rating is predicted. */
export interface PredictReaderOptions extends CommonOptions {
  /** What the reader thought of other stories; three or more tell something. */
  readonly history: readonly Partial<PastReview>[];
  /** A file of weights trained elsewhere; those that ship unless given. */
  readonly weights?: string;
}

const REASONS = 10;

/** Forecasts the average reader rating of a book, an outline, or a description of one. */
export function forecastRating(
  source: BookInput | ForecastInput,
  options: ForecastOptions = {},
): Promise<Forecast | NoForecast> {
  return interruptible(options, async () => {
    const forecast = loadForecaster({ folder: options.model, reasons: options.reasons ?? REASONS });
    if (typeof source === "string") return (await forecastFile(source, forecast)).forecast;
    if (isBook(source)) return forecast(inputOfBook(await openSource(source)));
    return forecast(forecastInputSchema.parse(source));
  });
}

/** Predicts how one reader would rate a story, from that reader's earlier reviews. */
export function predictReader(
  source: BookInput | Partial<Story>,
  options: PredictReaderOptions,
): Promise<PersonalPrediction> {
  return interruptible(options, async () => {
    const story = isBook(source) ? bookStory(await openSource(source)) : source;
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

/** A description of a story has no text in it. */
function isBook(source: BookInput | ForecastInput | Partial<Story>): source is BookInput {
  if (typeof source === "string" || source instanceof Uint8Array) return true;
  if (typeof source !== "object" || source === null) return false;
  return "text" in source || "bytes" in source || "chapters" in source;
}
