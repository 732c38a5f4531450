/**
 * The two-sided sign test: how often a fair coin would come down on one side at least as often as the more frequent of two
 * counts. Ties are left out by the caller. As `scipy.stats.binomtest(wins, wins + losses)`.
 *
 * @example
 * ```ts
 * signTest(6, 0); // 0.03125
 * signTest(4, 2); // 0.6875: chance
 * ```
 */
export function signTest(wins: number, losses: number): number {
  const trials = wins + losses;
  let tail = 0;
  let probability = 0.5 ** trials;
  for (let fewer = 0; fewer <= Math.min(wins, losses); fewer++) {
    tail += probability;
    probability *= (trials - fewer) / (fewer + 1);
  }
  return Math.min(1, 2 * tail);
}
