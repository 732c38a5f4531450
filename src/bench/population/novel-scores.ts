import type { ScoredChapter } from "../scored-chapter.ts";

export interface NovelScores {
  readonly novel: string;
  readonly writer: string;
  readonly chapters: number;
  readonly words: number | null;
  /** The mean of each dimension over the chapters that have it. */
  readonly scores: readonly number[];
}

export interface NovelExclusion {
  readonly novel: string;
  readonly writer: string;
  readonly reason: string;
}

/**
 * A novel's score is the mean over its chapters, dimension by dimension. A chapter without a dimension is skipped there; a
 * novel that has no chapter with some dimension cannot be placed and is excluded, with the reason.
 */
export function averageNovels(
  chapters: readonly ScoredChapter[],
  dimensions: readonly string[],
): { novels: NovelScores[]; excluded: NovelExclusion[] } {
  const novels: NovelScores[] = [];
  const excluded: NovelExclusion[] = [];
  for (const group of groupByNovel(chapters).values()) {
    const { novel, writer } = group[0]!;
    const means = averageChapters(group, dimensions.length);
    const missing = dimensions.filter((_, position) => means[position] === null);
    if (missing.length > 0) {
      excluded.push({ novel, writer, reason: `no chapter has a score for ${missing.join(", ")}` });
      continue;
    }
    novels.push({ novel, writer, chapters: group.length, words: totalWords(group), scores: means.map(Number) });
  }
  return { novels, excluded };
}

export function groupByNovel(chapters: readonly ScoredChapter[]): Map<string, ScoredChapter[]> {
  const groups = new Map<string, ScoredChapter[]>();
  for (const chapter of chapters) {
    const key = `${chapter.writer}\u0000${chapter.novel}`;
    const group = groups.get(key);
    if (group) group.push(chapter);
    else groups.set(key, [chapter]);
  }
  return groups;
}

export function averageChapters(chapters: readonly ScoredChapter[], dimensions: number): (number | null)[] {
  return Array.from({ length: dimensions }, (_, dimension) => {
    let sum = 0;
    let count = 0;
    for (const chapter of chapters) {
      const score = chapter.scores[dimension];
      if (score === null || score === undefined) continue;
      sum += score;
      count++;
    }
    return count === 0 ? null : sum / count;
  });
}

function totalWords(chapters: readonly ScoredChapter[]): number | null {
  let total = 0;
  for (const { words } of chapters) {
    if (words === null) return null;
    total += words;
  }
  return total;
}
