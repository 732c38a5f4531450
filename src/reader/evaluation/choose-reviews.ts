import { estimateTokens } from "../../core/estimate-tokens.ts";
import { wordLikeness } from "../predictor/likeness.ts";
import type { PersonalModel } from "../predictor/personal-model.ts";
import type { PastReview, Story } from "../predictor/story.ts";
import { genreSimilarity } from "../predictor/story-space.ts";

export interface ChosenReviews {
  /** The most useful first. */
  readonly chosen: readonly PastReview[];
  readonly leftOut: readonly { readonly title: string; readonly reason: string }[];
}

/**
 * Which of a reader's reviews a judge is shown: at most `count`, those of stories most like the one asked about, as far as
 * `tokens` reach. What is left out is reported, with the reason.
 */
export function chooseReviews(
  model: Pick<PersonalModel, "likeness" | "centres">,
  reviews: readonly PastReview[],
  query: Story,
  limits: { readonly count: number; readonly tokens: number | null; readonly textOf: (review: PastReview) => string },
): ChosenReviews {
  const asked = model.likeness.vector(query);
  const ranked = reviews
    .map((review, position) => ({
      review,
      position,
      usefulness:
        (wordLikeness(model.likeness.vector(review), asked) ?? model.centres.likeness) +
        (genreSimilarity(review, query) ?? model.centres.kinship) / 4 +
        (review.review ? 0.25 : 0),
    }))
    .sort((left, right) => right.usefulness - left.usefulness || left.position - right.position);
  const chosen: PastReview[] = [];
  const leftOut: { title: string; reason: string }[] = [];
  let spent = 0;
  for (const { review } of ranked) {
    const title = review.title ?? "an untitled story";
    const cost = estimateTokens(limits.textOf(review));
    if (chosen.length >= limits.count) {
      leftOut.push({ title, reason: `${limits.count} reviews were asked for, and others are nearer to this story` });
    } else if (limits.tokens !== null && spent + cost > limits.tokens) {
      leftOut.push({ title, reason: "it does not fit into the model's context" });
    } else {
      chosen.push(review);
      spent += cost;
    }
  }
  return { chosen, leftOut };
}
