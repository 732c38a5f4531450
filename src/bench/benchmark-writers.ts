import type { Random } from "../core/random.ts";
import { sum } from "../stats/distribution/sum.ts";
import type { ReferencePopulation } from "./population/reference-population.ts";
import type { ScoredChapter } from "./scored-chapter.ts";
import { type AnchorCheck, anchorCheck } from "./validity/anchor-check.ts";
import { type CeilingCheck, ceilingCheck } from "./validity/ceiling-check.ts";
import { coverageWarning } from "./validity/chapter-coverage.ts";
import { type CrossJudge, crossJudge } from "./validity/cross-judge.ts";
import { type GenreLevels, genreLevels } from "./validity/genre-levels.ts";
import { type LengthControl, lengthControl, lengthWarning } from "./validity/length-control.ts";
import { type PanelAgreement, panelAgreement } from "./validity/panel-agreement.ts";
import { type PowerAdvice, powerAdvice } from "./validity/power-advice.ts";
import { type SelfPreference, selfPreference } from "./validity/self-preference.ts";
import { wordsIn } from "./words/words-in.ts";
import { type Leaderboard, leaderboard } from "./writers/leaderboard.ts";
import type { LevelOf } from "./writers/writer-level.ts";

/** A second opinion on the same texts: another judge's population and scores. */
export interface SecondJudge {
  readonly chapters: readonly ScoredChapter[];
  readonly population: ReferencePopulation;
}

/** Where writers stand, with the checks of whether that can be believed. */
export interface WriterBenchmark {
  readonly population: ReferencePopulation;
  readonly board: Leaderboard;
  readonly length: LengthControl;
  readonly ceiling: CeilingCheck;
  readonly crossJudge: CrossJudge | null;
  readonly panel: PanelAgreement | null;
  readonly anchors: AnchorCheck | null;
  readonly selfPreference: SelfPreference | null;
  /** How many novels tell which difference; null where no two writers share novels. */
  readonly power: PowerAdvice | null;
  /** Levels within each genre, where genres are known. */
  readonly genres: readonly GenreLevels[];
  readonly warnings: readonly string[];
}

export function benchmarkWriters(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
  second: SecondJudge | null = null,
  levelOf: LevelOf = "writers",
): WriterBenchmark {
  const board = leaderboard(chapters, population, random, levelOf);
  const other = second ? leaderboard(second.chapters, second.population, random) : null;
  const length = lengthControl(chapters, population);
  const ceiling = ceilingCheck(board, population.language);
  const words = wordsIn(population.language);
  const panel = panelAgreement(chapters, population, random);
  // A panel has no family; each of its judges is held against the others.
  const preference = panel ? null : selfPreference(population.judge.id, board, other, words);
  const anchors = anchorCheck(population, random);
  const unplaced = sum(board.rows.map((row) => row.unplaced));
  const warnings = [
    ...population.warnings,
    ...(ceiling.advice ? [ceiling.advice] : []),
    ...lengthWarning(length, board, words),
    ...(preference ? [preference.warning] : []),
    ...(anchors?.warning ? [anchors.warning] : []),
    ...coverageWarning(chapters, words),
    ...(unplaced > 0 ? [words.warnings.unplacedNovels(unplaced, panel !== null)] : []),
    ...(board.unplaced.length > 0 ? [words.warnings.unplacedWriters(board.unplaced)] : []),
  ];
  return {
    population,
    board,
    length,
    ceiling,
    power: powerAdvice(board.comparisons),
    genres: genreLevels(chapters, population),
    crossJudge: other ? crossJudge(board, other) : null,
    panel,
    anchors,
    selfPreference: preference,
    warnings,
  };
}
