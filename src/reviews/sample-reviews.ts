import { type Random, shuffled } from "../core/random.ts";
import { sum } from "../stats/distribution.ts";

/** Five stars first, one star last. */
export type StarCounts = readonly [number, number, number, number, number];

export interface Reviewed {
  readonly book: string;
  readonly rating: number;
}

/** What a book's reviews may lack at a star before it counts: a point in a hundred. */
const TOLERANCE = 0.01;

/**
 * Chooses reviews of one book so that their stars follow those of all its ratings: readers in the middle of the scale write
 * less often (LongStoryEval, §4.2). As many are kept as the scarcest star allows, where a star may fall short by a point.
 */
export function sampleBook<Review extends Reviewed>(
  reviews: readonly Review[],
  ratings: StarCounts,
  random: Random,
): Review[] {
  const byStar = STARS.map((star) => reviews.filter(({ rating }) => Math.round(rating) === star));
  const available = byStar.map(({ length }) => length);
  const total = sum(ratings);
  if (total === 0) return [];
  const shares = ratings.map((count) => count / total);
  const quotas = largestQuotas(shares, available);
  const chosen = new Set(byStar.flatMap((star, place) => shuffled(star, random).slice(0, quotas[place])));
  return reviews.filter((review) => chosen.has(review));
}

export const STARS = [5, 4, 3, 2, 1] as const;

function largestQuotas(shares: readonly number[], available: readonly number[]): number[] {
  const most = sum(available);
  for (let size = most; size > 0; size--) {
    const quotas = apportion(shares, size);
    const fits = quotas.every((quota, place) => quota - available[place]! <= TOLERANCE * size);
    if (fits) return quotas.map((quota, place) => Math.min(quota, available[place]!));
  }
  return shares.map(() => 0);
}

/** Whole numbers in these shares that add up to `size`: the largest remainders get what rounding down left over. */
function apportion(shares: readonly number[], size: number): number[] {
  const quotas = shares.map((share) => Math.floor(share * size));
  const left = size - sum(quotas);
  const order = [...shares.keys()].sort((a, b) => remainder(shares[b]!, size) - remainder(shares[a]!, size));
  for (const place of order.slice(0, left)) quotas[place] = quotas[place]! + 1;
  return quotas;
}

function remainder(share: number, size: number): number {
  return share * size - Math.floor(share * size);
}

export function countStars(reviews: Iterable<{ readonly rating: number }>): StarCounts {
  const counts: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  for (const { rating } of reviews) {
    const place = 5 - Math.round(rating);
    if (place >= 0 && place < 5) counts[place]!++;
  }
  return counts;
}
