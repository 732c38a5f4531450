import { z } from "zod";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { loadForecaster } from "../../forecast/load-forecaster.ts";
import {
  type BaselineName,
  type BaselinePrediction,
  baselinePredictor,
  type KnownRating,
} from "../../reader/baselines.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { onRatingScale } from "../../reader/predictor/rating-scale.ts";
import { starsInWords } from "../../reader/predictor/reasons.ts";
import { pairSchema, type Story } from "../../reader/predictor/story.ts";
import { isUsable, type ProfileReview, type ReaderProfile, reviewOf } from "../../reader/profile/reader-profile.ts";
import { type PersonalView, personalView } from "../../report/personal/personal-view.ts";
import { sum } from "../../stats/distribution.ts";
import { generalRating } from "./general-rating.ts";
import { pairLines } from "./pair-lines.ts";

export interface PredictRequest {
  readonly input: string;
  readonly output: string;
  /** Weights trained elsewhere; by default those that ship. */
  readonly weights?: string;
  /** A baseline to predict with instead of the predictor. */
  readonly baseline?: BaselineName;
  /** Other readers' ratings for matrix factorisation, as JSONL: book (id or title), reviewer, rating. */
  readonly ratings?: string;
  /** The highest rating on the file's scale; 5 stars by default. */
  readonly scale?: number;
  readonly onProgress: ProgressListener;
}

export interface PredictReport {
  readonly pairs: number;
  readonly predicted: number;
  /** How many lines could not be predicted, by reason. */
  readonly unscored: Readonly<Record<string, number>>;
}

export interface StoryForReader {
  readonly prediction: PersonalPrediction;
  /** The prediction beside what readers in general give; null when there is no prediction. */
  readonly view: PersonalView | null;
}

/** Predicts one reader's rating of one story, beside the general one. */
export function predictForProfile(profile: ReaderProfile, story: Story, weights?: string): StoryForReader {
  const model = loadPersonalModel(weights);
  const prediction = personalPredictor(model)({ history: profile.reviews, query: story });
  if (prediction.kind === "unscored") return { prediction, view: null };
  const general = generalRating(story, loadForecaster());
  const view = personalView(profile.name, story.title, prediction, general);
  const rated = reviewOf(story, profile.reviews.filter(isUsable));
  const notes = rated === undefined ? view.notes : [ratedAlready(profile.name, rated), ...view.notes];
  if (profile.reviews.some(isUsable)) return { prediction, view: { ...view, notes } };
  const others =
    general &&
    ` Readers in general ${general.from === "average" ? "give" : "are likely to give"} it ${general.rating.toFixed(1)}.`;
  const headline = `Nothing is known yet of what ${profile.name} likes: ${prediction.rating.toFixed(1)} out of 5 is what a reader who writes reviews would give it on average.${others ?? ""}`;
  return { prediction, view: { ...view, headline, notes } };
}

function ratedAlready(reader: string, { title, author, rating, status }: ProfileReview): string {
  const given =
    rating !== undefined
      ? `with ${starsInWords(rating)} ${rating === 1 ? "star" : "stars"}`
      : status === "did-not-finish"
        ? "as given up"
        : "without stars";
  return `“${title}”${author === undefined ? "" : ` by ${author}`} is in the profile of ${reader} already, ${given}: the prediction knows of that.`;
}

const ratingRow = z
  .looseObject({
    book: z.union([z.string(), z.number()]).transform(String),
    reviewer: z.union([z.string(), z.number()]).transform(String),
    rating: z.number().min(0.5).max(5),
  })
  .transform(({ book, reviewer, rating }) => ({ book, reader: reviewer, rating }));

/** Other readers' ratings of the same books, from which matrix factorisation learns. */
export function readKnownRatings(path: string, scale: number | undefined): Promise<KnownRating[]> {
  return readJsonLines(path, onRatingScale(ratingRow, scale));
}

/** Predicts a rating for each line of earlier reviews and a story, with its interval and the reasons for it. */
export async function predictRatings(request: PredictRequest): Promise<PredictReport> {
  const model = loadPersonalModel(request.weights);
  const { baseline, scale } = request;
  const ratings = request.ratings === undefined ? null : await readKnownRatings(request.ratings, scale);
  const predict = baseline === undefined ? personalPredictor(model) : baselinePredictor(baseline, model, ratings);
  const unscored: Record<string, number> = {};
  let pairs = 0;
  async function* lines() {
    for await (const { id, history, query } of pairLines(request.input, pairSchema, scale)) {
      const prediction = predict({ history, query });
      if (prediction.kind === "unscored") unscored[prediction.reason] = (unscored[prediction.reason] ?? 0) + 1;
      request.onProgress({ stage: "predicting", done: ++pairs, total: null });
      yield { ...toLine(id, prediction), ...(baseline !== undefined && { baseline }) };
    }
  }
  await writeJsonLines(request.output, lines());
  const missing = sum(Object.values(unscored));
  return { pairs, predicted: pairs - missing, unscored };
}

function toLine(id: string | number, prediction: PersonalPrediction | BaselinePrediction) {
  if (prediction.kind === "unscored") return { id, unscored: prediction.reason };
  if (!("why" in prediction)) return { id, rating: prediction.rating };
  const { rating, interval, distribution, start, why, because, descriptionTrust, notes } = prediction;
  return {
    id,
    rating,
    interval,
    distribution,
    start,
    why,
    because,
    descriptionTrust,
    ...(notes.length > 0 && { notes }),
  };
}
