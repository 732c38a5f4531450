import type { Random } from "../../core/random.ts";
import { letterGroups } from "../../stats/comparison/multiple-comparison.ts";
import { modelFamily } from "../model-family.ts";
import type { ScoredChapter } from "../population/novel-scores.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import { wordsIn } from "../words.ts";
import { compareWriters, toldApart, type WriterComparisons } from "./compare-writers.ts";
import { type FairChapters, type JudgeSample, judgeSample, withoutOwnFamily } from "./judge-sample.ts";
import { placedNovels } from "./placed-novels.ts";
import { type WriterLevel, writerLevels } from "./writer-level.ts";

export interface LeaderboardRow extends WriterLevel {
  readonly rank: number;
  /** Writers that share a letter cannot be told apart (a compact letter display). */
  readonly groups: string;
}

export interface Leaderboard {
  readonly rows: readonly LeaderboardRow[];
  /** The comparisons of all pairs, from which the letters are derived. */
  readonly comparisons: WriterComparisons;
  /** What the panel implies for other judges; null if it has too few, and results then hold for these judges only. */
  readonly judges: JudgeSample | null;
  /** Judges' scores for writers of their own family, which are left out, and how much they differ from the others'. */
  readonly ownFamily: Pick<FairChapters, "own" | "advantages">;
  /** Writers without any novel that could be placed. */
  readonly unplaced: readonly string[];
}

/** Ranks writers by the composite, which is what they are compared on, and which continues where percentiles end. */
export function leaderboard(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
): Leaderboard {
  const { chapters: fair, ...ownFamily } = withoutOwnFamily(chapters, population, modelFamily);
  const writers = placedNovels(fair, population);
  const judges = judgeSample(writers, population, ownFamily.own);
  const levels = writerLevels(writers, population, random, { judges }).sort(
    (left, right) => right.composite - left.composite,
  );
  const placed = new Set(levels.map(({ writer }) => writer));
  const comparisons = compareWriters(
    levels.map(({ writer }) => writers.find((own) => own.writer === writer)!),
    random,
    population.language,
    judges,
  );
  const differ = toldApart(comparisons);
  const letters = letterGroups(levels.length, (left, right) => differ(levels[left]!.writer, levels[right]!.writer));
  return {
    rows: levels.map((level, index) => ({ ...level, rank: index + 1, groups: letters[index]! })),
    comparisons: { ...comparisons, method: methodOf(comparisons, population, judges, ownFamily.own.length) },
    judges,
    ownFamily,
    unplaced: writers.flatMap(({ writer }) => (placed.has(writer) ? [] : [writer])),
  };
}

/** How pairs were tested, for which judges this holds, and which scores are left out. */
function methodOf(
  { method }: WriterComparisons,
  { panel, language }: ReferencePopulation,
  judges: JudgeSample | null,
  leftOut: number,
): string {
  const { method: words, space } = wordsIn(language);
  const count = panel?.length ?? 1;
  return [
    method,
    ...(judges ? [] : [words.theseJudges(count)]),
    ...(leftOut > 0 ? [words.ownFamily(leftOut)] : []),
  ].join(space);
}
