import { mean } from "../../stats/distribution.ts";
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
    const known = chapters.map(({ scores }) => scores[dimension]).filter((score) => score != null);
    return known.length === 0 ? null : mean(known);
  });
}
