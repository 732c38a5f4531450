import type { Random } from "../../core/random.ts";
import { letterGroups } from "../../stats/comparison/letter-groups.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import { compareWriters, toldApart, type WriterComparisons } from "./compare-writers.ts";
import { placedNovels } from "./placed-novels.ts";
import { type WriterLevel, writerLevels } from "./writer-level.ts";

export interface LeaderboardRow extends WriterLevel {
  readonly rank: number;
  /** Writers that share a letter cannot be told apart (a compact letter display). */
  readonly groups: string;
}

export interface Leaderboard {
  readonly rows: readonly LeaderboardRow[];
  /** Every two writers: what the letters are derived from. */
  readonly comparisons: WriterComparisons;
  /** Writers of whom no novel could be placed. */
  readonly unplaced: readonly string[];
}

/** Best first, by the composite: it is what writers are compared on, and it goes on where percentiles end. */
export function leaderboard(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
): Leaderboard {
  const writers = placedNovels(chapters, population);
  const levels = writerLevels(writers, population, random).sort((left, right) => right.composite - left.composite);
  const placed = new Set(levels.map(({ writer }) => writer));
  const comparisons = compareWriters(
    levels.map(({ writer }) => writers.find((own) => own.writer === writer)!),
    random,
    population.language,
  );
  const differ = toldApart(comparisons);
  const letters = letterGroups(levels.length, (left, right) => differ(levels[left]!.writer, levels[right]!.writer));
  return {
    rows: levels.map((level, index) => ({ ...level, rank: index + 1, groups: letters[index]! })),
    comparisons,
    unplaced: writers.flatMap(({ writer }) => (placed.has(writer) ? [] : [writer])),
  };
}
