import { groupBy } from "../core/group-by.ts";
import type { Random } from "../core/random.ts";
import { sum } from "../stats/distribution.ts";
import { countStars, type Reviewed, STARS, type StarCounts, sampleBook } from "./sample-reviews.ts";

export interface StarComparison {
  readonly star: number;
  /** Percent of the reviews before, of the reviews kept, and of the ratings of the same books (weighted as kept). */
  readonly before: number;
  readonly kept: number;
  readonly ratings: number;
  /** Percent of all ratings at this star that came with a review. */
  readonly reviewed: number;
}

export interface Mitigation {
  readonly reviews: number;
  readonly kept: number;
  readonly books: number;
  /** Books that no review could be kept of, or whose ratings are unknown. */
  readonly booksWithout: number;
  readonly stars: readonly StarComparison[];
  /** The largest difference, in points, between kept and ratings at any star. */
  readonly largestDifference: number;
}

/** Samples every book's reviews and says how well their stars then follow the ratings. */
export function mitigate<Review extends Reviewed>(
  reviews: readonly Review[],
  ratingsOf: ReadonlyMap<string, StarCounts>,
  random: Random,
): { readonly kept: Review[]; readonly mitigation: Mitigation } {
  const byBook = groupBy(reviews, ({ book }) => book);
  const kept: Review[] = [];
  const expected = [0, 0, 0, 0, 0];
  const rated = [0, 0, 0, 0, 0];
  let without = 0;
  for (const [book, own] of byBook) {
    const ratings = ratingsOf.get(book);
    const chosen = ratings ? sampleBook(own, ratings, random) : [];
    if (!ratings || chosen.length === 0) {
      without++;
      continue;
    }
    for (const review of chosen) kept.push(review);
    const total = sum(ratings);
    ratings.forEach((count, place) => {
      expected[place]! += (chosen.length * count) / total;
      rated[place]! += count;
    });
  }
  const before = countStars(reviews);
  const after = countStars(kept);
  const stars = STARS.map((star, place) => ({
    star,
    before: percent(before[place]!, reviews.length),
    kept: percent(after[place]!, kept.length),
    ratings: percent(expected[place]!, kept.length),
    reviewed: percent(before[place]!, rated[place]!),
  }));
  return {
    kept,
    mitigation: {
      reviews: reviews.length,
      kept: kept.length,
      books: byBook.size,
      booksWithout: without,
      stars,
      largestDifference: Math.max(...stars.map((star) => Math.abs(star.kept - star.ratings))),
    },
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? (100 * part) / whole : 0;
}
