import type { ScoredChapter } from "../scored-chapter.ts";

/** A dimension that fewer of the chapters than this have cannot carry a population. */
const LEAST_SHARE = 0.5;

/** Drops the dimensions that are hardly ever scored, rather than every novel that lacks them. */
export function usableDimensions(
  chapters: readonly ScoredChapter[],
  dimensions: readonly string[],
): { dimensions: string[]; chapters: ScoredChapter[]; dropped: string[] } {
  const share = dimensions.map(
    (_, index) => chapters.filter((chapter) => chapter.scores[index] != null).length / Math.max(1, chapters.length),
  );
  const kept = dimensions.flatMap((_, index) => (share[index]! >= LEAST_SHARE ? [index] : []));
  return {
    dimensions: kept.map((index) => dimensions[index]!),
    chapters: chapters.map((chapter) => ({ ...chapter, scores: kept.map((index) => chapter.scores[index] ?? null) })),
    dropped: dimensions.filter((_, index) => !kept.includes(index)),
  };
}
