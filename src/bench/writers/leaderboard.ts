import type { Random } from "../../core/random.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import { type WriterLevel, writerLevel } from "./writer-level.ts";

export interface LeaderboardRow extends WriterLevel {
  readonly rank: number;
  /** Writers that share a letter cannot be told apart (a compact letter display). */
  readonly groups: string;
}

export interface Leaderboard {
  readonly rows: readonly LeaderboardRow[];
  /** Writers of whom no novel could be placed. */
  readonly unplaced: readonly string[];
}

/** A difference counts when it keeps its sign in this share of the resamples. */
const CONFIDENCE = 0.975;

/** Best first. By level, and by the composite where levels tie, as they do at the top of a population that is too easy. */
export function leaderboard(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
): Leaderboard {
  const byWriter = groupByWriter(chapters);
  const levels: WriterLevel[] = [];
  const unplaced: string[] = [];
  for (const [writer, own] of byWriter) {
    const level = writerLevel(writer, own, population, random);
    if (level) levels.push(level);
    else unplaced.push(writer);
  }
  levels.sort((left, right) => right.level - left.level || right.composite - left.composite);
  const letters = letterGroups(levels);
  return { rows: levels.map((level, index) => ({ ...level, rank: index + 1, groups: letters[index]! })), unplaced };
}

function groupByWriter(chapters: readonly ScoredChapter[]): Map<string, ScoredChapter[]> {
  const groups = new Map<string, ScoredChapter[]>();
  for (const chapter of chapters) {
    const group = groups.get(chapter.writer);
    if (group) group.push(chapter);
    else groups.set(chapter.writer, [chapter]);
  }
  return groups;
}

export function canBeToldApart(better: WriterLevel, worse: WriterLevel): boolean {
  const draws = Math.min(better.resampledLevels.length, worse.resampledLevels.length);
  let wins = 0;
  for (let draw = 0; draw < draws; draw++) {
    if (better.resampledLevels[draw]! > worse.resampledLevels[draw]!) wins++;
  }
  return wins >= CONFIDENCE * draws;
}

/**
 * Letters for a list in order: each letter covers a longest run of writers of which the first cannot be told from the
 * last. Runs that lie inside another are dropped.
 */
function letterGroups(levels: readonly WriterLevel[]): string[] {
  const runs: [number, number][] = [];
  for (let first = 0; first < levels.length; first++) {
    let last = first;
    while (last + 1 < levels.length && !canBeToldApart(levels[first]!, levels[last + 1]!)) last++;
    const previous = runs.at(-1);
    if (!previous || last > previous[1]) runs.push([first, last]);
  }
  return levels.map((_, index) =>
    runs.flatMap(([first, last], run) => (index >= first && index <= last ? [letter(run)] : [])).join(""),
  );
}

function letter(index: number): string {
  const first = String.fromCharCode(97 + (index % 26));
  return index < 26 ? first : `${first}${Math.floor(index / 26)}`;
}
