import { sumBy } from "../../stats/distribution/sum-by.ts";
import type { PastReview, Story } from "./story.ts";
import { sharedGenres } from "./story-space.ts";
import type { EarlierReview } from "./votes.ts";

export interface Moved {
  readonly review: PastReview;
  readonly past: EarlierReview;
  /** In stars. */
  readonly effect: number;
}

const REVIEWS_NAMED = 2;
const GENRES_NAMED = 2;
/** Smaller pulls and smaller differences are not worth a word. */
const NOTABLE_PULL = 0.05;
const NOTABLE_DIFFERENCE = 0.3;

/** One sentence: what in the reader's history points the way the whole history points. Null when nothing clearly does. */
export function historyInWords(history: readonly Moved[], query: Story): string | null {
  const pull = sumBy(history, ({ effect }) => effect);
  if (Math.abs(pull) < NOTABLE_PULL) return null;
  const strongest = history
    .filter(({ effect }) => effect * pull > 0)
    .sort((left, right) => Math.abs(right.effect) - Math.abs(left.effect))
    .slice(0, REVIEWS_NAMED)
    .map((moved) => inWords(moved, query));
  const verb = strongest.length > 1 ? "point" : "points";
  return `${strongest.join(" and ")} ${verb} ${pull > 0 ? "up" : "down"} most.`;
}

/** Ratings on other scales become stars with many decimals. */
export function starsInWords(rating: number): string {
  return String(Number(rating.toFixed(2)));
}

function inWords({ review, past }: Moved, query: Story): string {
  const given =
    review.rating === undefined
      ? "the words"
      : `${starsInWords(review.rating)} ${review.rating === 1 ? "star" : "stars"}`;
  const title = review.title === undefined ? "an untitled story" : `“${review.title}”`;
  const difference = past.rating - past.expected;
  const shared = sharedGenres(review, query).slice(0, GENRES_NAMED);
  const remarks = [
    Math.abs(difference) >= NOTABLE_DIFFERENCE &&
      `${Math.abs(difference).toFixed(1)} ${difference > 0 ? "above" : "below"} other readers`,
    shared.length > 0 && `${shared.join(", ")} like this one`,
  ].filter(Boolean);
  return `${given} for ${title}${remarks.length > 0 ? ` (${remarks.join("; ")})` : ""}`;
}
