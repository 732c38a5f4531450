import { seededRandom } from "../../core/random.ts";
import type { ReviewImportance } from "../../report/reviews.ts";
import { analyseImportance, type ImportanceAnalysis } from "../../reviews/aspect-importance.ts";
import { bookFacts, type ReviewMentions, type ReviewReportRequest, readMentions } from "./review-report.ts";

export interface AnalyseReviewsRequest extends ReviewReportRequest {
  readonly resamples: number;
}

/** Reviews and their books → what goes with a book's rating, by aspect and by sub-aspect, as it is and genre by genre alike. */
export async function analyseReviews(request: AnalyseReviewsRequest): Promise<ReviewImportance> {
  const mentions = await readMentions(request);
  request.onProgress({ stage: "Analysing", done: 0, total: null });
  return importanceOf(mentions, request);
}

/** Sub-aspects that enough reviews name; in data that names only aspects there are none. */
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
