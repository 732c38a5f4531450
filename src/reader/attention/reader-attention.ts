import type { AspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { mean } from "../../stats/distribution.ts";
import type { PastReview } from "../predictor/story.ts";

/** How much a reader writes about one aspect, and how they rate the books whose reviews mention it. */
export interface Attention {
  readonly aspect: string;
  readonly reviews: number;
  /** The reviews that have words. */
  readonly of: number;
  /** Mean stars of the reviews that mention it, and of those that do not; null when none has stars. */
  readonly stars: number | null;
  readonly otherStars: number | null;
}

/** One review says little about what a reader looks for. */
const LEAST_REVIEWS = 2;

/**
 * Which aspects a reader's reviews mention, by the words readers use for them; most often first. It describes the history and
 * does not affect predictions.
 */
export function readerAttention(
  reviews: readonly PastReview[],
  vocabulary: AspectVocabulary,
  topOf: (aspect: string) => string,
): Attention[] {
  const written = reviews.filter(({ review }) => review);
  const found = [...aspectPatterns(vocabulary, topOf)].map(([aspect, pattern]): Attention => {
    const speaking = written.filter(({ review }) => pattern.test(review!));
    return {
      aspect,
      reviews: speaking.length,
      of: written.length,
      stars: meanStars(speaking),
      otherStars: meanStars(written.filter((review) => !speaking.includes(review))),
    };
  });
  return found
    .filter((attention) => attention.reviews >= LEAST_REVIEWS)
    .sort((left, right) => right.reviews - left.reviews);
}

/** For each top-level aspect, a pattern of the words that readers use for it. */
export function aspectPatterns(vocabulary: AspectVocabulary, topOf: (aspect: string) => string): Map<string, RegExp> {
  const names = new Map<string, string[]>();
  for (const [aspect, own] of Object.entries(vocabulary.aspects)) {
    const top = topOf(aspect);
    names.set(top, [...(names.get(top) ?? []), ...own]);
  }
  return new Map(
    [...names].map(([aspect, own]) => [
      aspect,
      new RegExp(`(?<![\\p{L}])(?:${own.map(loosely).join("|")})(?![\\p{L}])`, "iu"),
    ]),
  );
}

/** A name as it may be written in a sentence: with any apostrophe, and a space or a hyphen between its words. */
function loosely(name: string): string {
  return name
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/['’]/g, "['’]?")
    .replace(/[\s-]+/g, "[\\s-]+");
}

function meanStars(reviews: readonly PastReview[]): number | null {
  const stars = reviews.flatMap(({ rating }) => rating ?? []);
  return stars.length === 0 ? null : mean(stars);
}
