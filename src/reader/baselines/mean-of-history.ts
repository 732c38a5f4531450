import { mean } from "../../stats/distribution/mean.ts";

/** The simplest guess: the mean of the reader's earlier ratings. Null without any. */
export function meanOfHistory(ratings: readonly number[]): number | null {
  return ratings.length === 0 ? null : mean(ratings);
}
