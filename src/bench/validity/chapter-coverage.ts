import type { ScoredChapter } from "../scored-chapter.ts";
import type { BenchWords } from "../words/bench-words.ts";

/** A writer that lacks so many more of the chapters than the fullest one stands on clearly other chapters. */
const CLEAR_GAP = 0.1;

/**
 * Writers that lack chapters which others have of the same novels. Their levels and composites rest on other chapters than
 * those of the others, and it may be the hard ones that are not there.
 */
export function coverageWarning(chapters: readonly ScoredChapter[], { warnings }: BenchWords): string[] {
  const shares = chapterCoverage(chapters);
  const fullest = Math.max(...shares.map(({ share }) => share));
  const lacking = shares
    .filter(({ share }) => fullest - share >= CLEAR_GAP)
    .sort((left, right) => left.share - right.share)
    .map(({ writer, share }) => ({ writer, percent: (100 * share).toFixed(0) }));
  return lacking.length === 0 ? [] : [warnings.chapterCoverage(lacking)];
}

/** For each writer, the share it has of the chapters that any writer has of its novels. Scores without numbers are left out. */
function chapterCoverage(chapters: readonly ScoredChapter[]): { readonly writer: string; readonly share: number }[] {
  const byNovel = new Map<string, Map<string, Set<number>>>();
  for (const { novel, writer, chapter, isUnnumbered, scores } of chapters) {
    if (isUnnumbered || scores.every((score) => score === null)) continue;
    const writers = byNovel.get(novel) ?? new Map<string, Set<number>>();
    byNovel.set(novel, writers.set(writer, (writers.get(writer) ?? new Set()).add(chapter)));
  }
  const counts = new Map<string, { own: number; all: number }>();
  for (const writers of byNovel.values()) {
    const all = new Set([...writers.values()].flatMap((own) => [...own])).size;
    for (const [writer, own] of writers) {
      const known = counts.get(writer) ?? { own: 0, all: 0 };
      counts.set(writer, { own: known.own + own.size, all: known.all + all });
    }
  }
  return [...counts].map(([writer, { own, all }]) => ({ writer, share: own / all }));
}
