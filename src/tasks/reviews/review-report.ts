import { jsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import type { ReviewFindings, ReviewImportance } from "../../report/reviews.ts";
import { analyseImportance, type ImportanceAnalysis } from "../../reviews/aspect-importance.ts";
import { type AspectMentions, analyseCriteria, type ReviewedBook } from "../../reviews/criteria-analysis.ts";
import { mitigate } from "../../reviews/mitigation.ts";
import { learnRatingScale, type Moments, momentsOf } from "../../reviews/normalise-ratings.ts";
import type { StarCounts } from "../../reviews/sample-reviews.ts";
import { structuredReviewSchema } from "../../reviews/structure-review.ts";
import { sum, sumBy } from "../../stats/distribution.ts";
import { loadAspectTools, type ReviewedBookRow, readReviewedBooks, starCounts } from "./review-pairs.ts";

export interface ReviewReportRequest {
  readonly books: string;
  readonly reviews: string;
  readonly seed: number;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** Reports what readers discuss, how biased the reviews are, and what sampling and normalising change. */
export async function reportReviews(request: ReviewReportRequest): Promise<ReviewFindings> {
  return findingsOf(await readMentions(request), request.seed);
}

/** Which aspects reviews mention, without the texts of the reviews, which would take most of the memory. */
export interface ReviewMentions {
  readonly books: ReadonlyMap<string, ReviewedBookRow>;
  readonly reviews: readonly (AspectMentions & { readonly reviewer: string; readonly parts: ReadonlySet<string> })[];
  /** Ids of the top-level aspects, followed by whatever else readers discuss. */
  readonly aspects: readonly string[];
  readonly others: readonly string[];
  readonly unmapped: ReadonlyMap<string, number>;
}

export async function readMentions(request: Omit<ReviewReportRequest, "seed">): Promise<ReviewMentions> {
  const books = await readReviewedBooks(request.books);
  const { map, aspects } = await loadAspectTools();
  const unmapped = new Map<string, number>();
  const others = new Set<string>();
  const reviews: ReviewMentions["reviews"][number][] = [];
  for await (const review of jsonLines(request.reviews, structuredReviewSchema)) {
    if (reviews.length % 1000 === 0) {
      request.signal.throwIfAborted();
      request.onProgress({ stage: "Reading reviews", done: reviews.length, total: null });
    }
    const mentioned = new Set<string>();
    const parts = new Set<string>();
    for (const name of Object.keys(review.aspects)) {
      const place = map(name);
      if (place.kind === "unmapped") unmapped.set(name, (unmapped.get(name) ?? 0) + 1);
      else mentioned.add(place.kind === "aspect" ? place.aspect : place.other);
      if (place.kind === "aspect" && place.part !== null) parts.add(place.part);
      if (place.kind === "other") others.add(place.other);
    }
    reviews.push({ book: review.book, reviewer: review.reviewer, rating: review.rating, aspects: mentioned, parts });
  }
  return { books, reviews, aspects, others: [...others], unmapped };
}

/** Genres and average rating of each book, in the form the analyses need. */
export function bookFacts(books: ReviewMentions["books"]): Map<string, ReviewedBook> {
  return new Map([...books].map(([id, { genres, average_rating }]) => [id, { genres, averageRating: average_rating }]));
}

export function findingsOf(
  { books, reviews, aspects, others, unmapped }: ReviewMentions,
  seed: number,
): ReviewFindings {
  const ratings = starCounts(books);
  const facts = bookFacts(books);
  const scale = learnRatingScale(reviews, platformOf(ratings.values()));
  const random = seededRandom(seed);
  return {
    mitigation: mitigate(reviews, ratings, random).mitigation,
    normalisation: {
      reviewers: scale.reviewers,
      ratings: scale.ratings,
      shrinkage: scale.shrinkage,
      platform: scale.platform,
      before: momentsOf(reviews),
      after: momentsOf(reviews.map((review) => ({ rating: scale.normalise(review) }))),
    },
    criteria: analyseCriteria(reviews, facts, [...aspects, ...others], random),
    unmapped: [...unmapped].map(([name, count]) => ({ name, count })).sort((left, right) => right.count - left.count),
  };
}

/** Mean and deviation of all ratings of all books, with or without a review. */
export function platformOf(ratings: Iterable<StarCounts>): Moments {
  const totals = [0, 0, 0, 0, 0];
  for (const counts of ratings) for (const [place, count] of counts.entries()) totals[place]! += count;
  const all = sum(totals);
  const mean = sumBy(totals, (count, place) => count * (5 - place)) / all;
  const variance = sumBy(totals, (count, place) => count * (5 - place - mean) ** 2) / all;
  return { mean, deviation: Math.sqrt(variance) };
}

export interface AnalyseReviewsRequest extends ReviewReportRequest {
  readonly resamples: number;
}

/**
 * Analyses what correlates with a book's rating, by aspect and by sub-aspect, unweighted and with all genres weighted
 * equally.
 */
export async function analyseReviews(request: AnalyseReviewsRequest): Promise<ReviewImportance> {
  const mentions = await readMentions(request);
  request.onProgress({ stage: "Analysing", done: 0, total: null });
  return importanceOf(mentions, request);
}

/** Sub-aspects that enough reviews name; empty for data that names only aspects. */
const LEAST_SHARE = 0.005;

export function importanceOf(
  { books, reviews, aspects }: ReviewMentions,
  { seed, resamples }: Pick<AnalyseReviewsRequest, "seed" | "resamples">,
): ReviewImportance {
  const facts = bookFacts(books);
  const options = { random: seededRandom(seed), resamples };
  const byPart = reviews.map((review) => ({ ...review, aspects: review.parts }));
  const counts = new Map<string, number>();
  for (const { parts } of reviews) for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  const named = [...counts].filter(([, count]) => count >= LEAST_SHARE * reviews.length).map(([part]) => part);
  const both = (isBalanced: boolean) => analyseImportance(reviews, facts, aspects, { ...options, isBalanced });
  const parts: ImportanceAnalysis | null =
    named.length < 2 ? null : analyseImportance(byPart, facts, named.sort(), { ...options, isBalanced: false });
  return { reviews: reviews.length, all: both(false), balanced: both(true), parts };
}
