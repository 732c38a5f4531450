import type { Forecaster } from "../../forecast/forecast.ts";
import type { Story } from "../../reader/predictor/story.ts";

/** What readers in general give a story, and whether that is their average or a forecast of it. */
export interface GeneralRating {
  readonly rating: number;
  readonly from: "average" | "forecast";
}

/**
 * The only place that answers this: their average where it is known, otherwise what `fabula forecast` says. The personal predictor
 * weighs a description in a way of its own, tuned to readers who rate many books; it names no such value. Null where nothing can
 * be forecast.
 */
export function generalRating(story: Story, forecast: Forecaster): GeneralRating | null {
  if (story.average_rating !== undefined) return { rating: story.average_rating, from: "average" };
  // To the forecast an empty list says that readers shelved the book under nothing; in a story it says that nothing is known.
  const found = forecast({ ...story, genres: story.genres.length > 0 ? story.genres : null });
  return found.kind === "forecast" ? { rating: found.rating, from: "forecast" } : null;
}
