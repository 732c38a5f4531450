import { reportReviews } from "../../src/tasks/reviews/review-report.ts";
import { defineEval } from "../part.ts";

/** Table 4 of the LongStoryEval paper, over its 600 books. */
const PUBLISHED: Readonly<Record<string, number>> = {
  plot: 0.799,
  characters: 0.832,
  writing: 0.72,
  world: 0.664,
  themes: 0.723,
  emotion: 0.74,
  enjoyment: 0.791,
  expectation: 0.724,
};

export default defineEval({
  id: "reviews",
  title: "Reader reviews: bias corrected, ratings on one scale, aspects that matter",
  data: {
    "longstoryeval-books": "LongStoryEval's books (books.jsonl.gz)",
    "longstoryeval-reviews": "LongStoryEval's structured reviews (reviews.jsonl.gz)",
  },
  async run(paths, onProgress) {
    const { mitigation, normalisation, criteria } = await reportReviews({
      books: paths["longstoryeval-books"],
      reviews: paths["longstoryeval-reviews"],
      seed: 1,
      onProgress,
      signal: new AbortController().signal,
    });
    const unsampled = Math.max(...mitigation.stars.map(({ before, ratings }) => Math.abs(before - ratings)));
    const { platform, after, ratings } = normalisation;
    return [
      {
        id: "star-difference",
        name: "Largest difference at any star between sampled reviews and ratings, in points",
        value: mitigation.largestDifference,
        interval: null,
        n: mitigation.kept,
        better: "lower",
        compare: { name: "all reviews", value: unsampled },
      },
      {
        id: "normalised-mean-difference",
        name: "Normalised ratings: difference of their mean from the platform's",
        value: Math.abs(after.mean - platform.mean),
        interval: null,
        n: ratings,
        better: "lower",
      },
      {
        id: "normalised-deviation-difference",
        name: "Normalised ratings: difference of their deviation from the platform's",
        value: Math.abs(after.deviation - platform.deviation),
        interval: null,
        n: ratings,
        better: "lower",
      },
      ...criteria.significance.flatMap(({ aspect, kendall, interval, books }) => {
        const published = PUBLISHED[aspect];
        if (kendall === null || interval === null) return [];
        return [
          {
            id: `significance-${aspect}`,
            name: `Kendall τ of the rating of reviews that speak of ${aspect} with the book's rating`,
            value: kendall,
            interval: [interval[0], interval[1]] as [number, number],
            n: books,
            better: "higher" as const,
            ...(published !== undefined && {
              compare: { name: "the paper's correlation, 600 books", value: published },
            }),
          },
        ];
      }),
    ];
  },
});
