import { countOf } from "../../core/wording.ts";

/**
 * How well ratings of held-out readers were predicted (Pearson) from one earlier review, two, … five, for readers and books
 * unseen in training: `npx tsx evals/scorecard.ts --only personal …` prints it.
 */
export const HISTORY_CURVE = [0.3, 0.36, 0.39, 0.41, 0.42] as const;

/** How much more ratings would help, in one sentence. Null when the profile has at least as many as the curve was measured for. */
export function thinProfileInWords(ratings: number): string | null {
  const enough = HISTORY_CURVE.length;
  if (ratings >= enough) return null;
  const more = enough - ratings;
  const then = HISTORY_CURVE[enough - 1]!.toFixed(2);
  if (ratings === 0)
    return `No ratings yet: this is what a reader who writes reviews would say on average. With ${more} ratings, predictions correlated with readers' own ratings at about ${then}.`;
  const now = HISTORY_CURVE[ratings - 1]!.toFixed(2);
  return `A thin profile: with ${countOf(ratings, "rating")}, predictions correlated with readers' own ratings at about ${now}; with ${more} more, at about ${then}.`;
}
