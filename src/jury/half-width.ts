import type { JurorHead } from "./juror-file.ts";

type Miss = JurorHead["misses"][number];

/**
 * Half the range around a score of a text of so many words. Between the lengths that were measured the miss is
 * interpolated over the logarithm of the length. Beyond the longest it stays: reading more of a book removes the spread
 * of its windows, but not what the juror gets wrong about a whole text, and no book-length ratings exist to learn it from.
 */
export function halfWidth(misses: readonly Miss[], words: number, ground: "inside" | "outside"): number {
  const sorted = [...misses].sort((left, right) => left.words - right.words);
  const above = sorted.findIndex((miss) => miss.words >= words);
  if (above === -1) return sorted.at(-1)![ground];
  if (above === 0) return sorted[0]![ground];
  const [low, high] = [sorted[above - 1]!, sorted[above]!];
  const part = Math.log(words / low.words) / Math.log(high.words / low.words);
  return low[ground] + part * (high[ground] - low[ground]);
}
