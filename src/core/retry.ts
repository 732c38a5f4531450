import type { Random } from "./random.ts";

/**
 * Tries `work` until it succeeds. After a failure, `recover` waits or does whatever else the next attempt needs; it throws
 * when there should be none.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  recover: (error: unknown, attempt: number) => Promise<void>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      await recover(error, attempt);
    }
  }
}

/** Twice as long each time, from half of that to all of it at random, so that parallel calls do not come back together. */
export function backoffMilliseconds(
  failures: number,
  random: Random,
  { first = 500, longest = 60_000 }: { readonly first?: number; readonly longest?: number } = {},
): number {
  return Math.min(longest, first * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
