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
