import { sumBy } from "../../stats/distribution.ts";
import { type DescriptionTrust, trustIn } from "./description-trust.ts";
import { type ContentVector, type Likeness, wordLikeness } from "./likeness.ts";
import type { RatingSpread } from "./spread.ts";
import { hasContent, type PastReview, type Story } from "./story.ts";
import { genreSimilarity, type StorySpace } from "./story-space.ts";
import type { TermSpace } from "./term-space.ts";
import { pushWords, TermBuffer } from "./terms.ts";
import type { Centres, EarlierReview } from "./votes.ts";

/** The last step: a plain sum of votes and of what is expected of the story: its average where known, else what its description says. */
export interface Head {
  readonly intercept: number;
  readonly votes: Float64Array;
  readonly expectation: number;
  readonly expectationCentre: number;
  /** How ratings lie around predictions. */
  readonly spread: RatingSpread;
}

export interface PersonalModel {
  readonly stories: StorySpace;
  readonly storyWeights: Float32Array;
  readonly storyIntercept: number;
  /** What each part of a description adds to the forecast of the average story that has it, the genres last. */
  readonly usualShares: readonly number[];
  readonly likeness: Likeness;
  readonly trust: DescriptionTrust;
  readonly reviews: TermSpace;
  /** Generosity and sentiment side by side for each term. */
  readonly reviewWeights: Float32Array;
  readonly reviewIntercepts: readonly [number, number];
  readonly centres: Centres;
  readonly shrinkage: number;
  /** Generosity and sentiment expected of a review of which only the stars are known: intercept and slope. */
  readonly fromStars: { readonly generosity: readonly [number, number]; readonly sentiment: readonly [number, number] };
  /** What the reviews of books given up say on average: stars, generosity, sentiment; null if there were too few to learn from. */
  readonly givenUp: {
    readonly reviews: number;
    readonly rating: number;
    readonly generosity: number;
    readonly sentiment: number;
  } | null;
  readonly heads: { readonly forecast: Head; readonly average: Head };
}

export const STARS = { minimum: 1, maximum: 5 } as const;

export interface ReadStory {
  readonly story: Story;
  /** What each part of the description adds to the forecast, the genres last; 0 for a part that is missing. */
  readonly shares: readonly number[];
  readonly content: ContentVector;
  /** How far the description is trusted, from 0 to 1; the shares and the forecast already include it. */
  readonly trust: number;
  /** Null when there is nothing to forecast from. */
  readonly forecast: number | null;
}

/** A story's description, read once. */
export function readStory(model: PersonalModel, story: Story): ReadStory {
  const content = model.likeness.vector(story);
  const trust = trustIn(story, content, model.trust, model.likeness);
  const usual = model.trust.usualRating;
  const found = model.stories.shares(story, model.storyWeights);
  // A missing part counts as that of the average story: without its genres, a story would be forecast as if it had none.
  const whole = sumBy(found, (share, block) => share ?? model.usualShares[block]!);
  const forecast = usual + trust * (model.storyIntercept + whole - usual);
  const shares = found.map((share) => trust * (share ?? 0));
  return { story, shares, content, trust, forecast: hasContent(story) ? forecast : null };
}

const buffer = new TermBuffer();

export function reviewTerms(review: string): Uint32Array {
  pushWords(review, buffer.clear(), true);
  return buffer.view();
}

/** Stars of a book given up and not rated, for a model that learnt from too few such reviews. */
const GIVEN_UP_STARS = 2;

/** Whether a book counts as given up, with neither stars nor words to say how it was liked. */
function isOnlyGivenUp(past: PastReview): boolean {
  return past.status === "did-not-finish" && past.rating === undefined && past.review === undefined;
}

export function givenUpStars(model: PersonalModel): number {
  return model.givenUp?.rating ?? GIVEN_UP_STARS;
}

/** An earlier review in the form that votes need; null if it has neither stars nor words and the book was not given up. */
export function readEarlierReview(
  model: PersonalModel,
  past: PastReview,
  story: ReadStory,
  query: ReadStory,
): EarlierReview | null {
  const words = past.review ? readReview(model, past.review) : null;
  const givenUp = past.status === "did-not-finish" ? givenUpStars(model) : null;
  const rating = past.rating ?? (words && clampStars(words.sentiment)) ?? givenUp;
  if (rating === null) return null;
  const { fromStars, centres } = model;
  const unread = isOnlyGivenUp(past) ? model.givenUp : null;
  return {
    rating,
    generosity: words?.generosity ?? unread?.generosity ?? fromStars.generosity[0] + fromStars.generosity[1] * rating,
    sentiment: words?.sentiment ?? unread?.sentiment ?? fromStars.sentiment[0] + fromStars.sentiment[1] * rating,
    expected: past.average_rating ?? story.forecast ?? centres.expected,
    average: past.average_rating ?? null,
    likeness: wordLikeness(story.content, query.content),
    kinship: genreSimilarity(past, query.story),
  };
}

function readReview(model: PersonalModel, review: string): { generosity: number; sentiment: number } | null {
  const vector = model.reviews.vector(reviewTerms(review));
  if (vector.positions.length === 0) return null;
  let [generosity, sentiment] = model.reviewIntercepts;
  for (let i = 0; i < vector.positions.length; i++) {
    const column = vector.positions[i]! * 2;
    generosity += model.reviewWeights[column]! * vector.values[i]!;
    sentiment += model.reviewWeights[column + 1]! * vector.values[i]!;
  }
  return { generosity, sentiment };
}

export function clampStars(rating: number): number {
  return Math.min(STARS.maximum, Math.max(STARS.minimum, rating));
}
