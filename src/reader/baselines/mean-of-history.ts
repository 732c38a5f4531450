/** The simplest guess: the mean of the reader's earlier ratings. Null without any. */
export function meanOfHistory(ratings: readonly number[]): number | null {
  return ratings.length === 0 ? null : ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
}
