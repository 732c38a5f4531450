import type { Random } from "../core/random.ts";
import { spearman } from "../stats/correlation.ts";
import { mean, sum } from "../stats/distribution.ts";
import { studentInterval } from "../stats/special/student-t.ts";
import { isDefined, type Statistic } from "../stats/statistic.ts";
import { averageChapters, groupByNovel, type ScoredChapter } from "./population/novel-scores.ts";
import { compositeOf, placer } from "./population/place-on-population.ts";
import type { ReferencePopulation } from "./population/reference-population.ts";
import {
  type AnchorCheck,
  anchorCheck,
  type CeilingCheck,
  type CrossJudge,
  ceilingCheck,
  crossJudge,
  type PanelAgreement,
  type PowerAdvice,
  panelAgreement,
  powerAdvice,
  type SelfPreference,
  selfPreference,
} from "./validity.ts";
import { type BenchWords, wordsIn } from "./words.ts";
import { type Leaderboard, leaderboard } from "./writers/leaderboard.ts";
import { placedNovels } from "./writers/placed-novels.ts";

interface LengthControl {
  /** Does a longer text score higher? Over all texts, and over the writers' means. */
  readonly acrossTexts: Statistic;
  readonly acrossWriters: Statistic;
  /**
   * Points of composite per doubling of the length, within writers, so that better writers who write more do not
   * count. Null if a writer's texts are too similar in length.
   */
  readonly perDoubling: number | null;
  /** 95 %. */
  readonly perDoublingInterval: readonly [number, number] | null;
}

interface Text {
  readonly writer: string;
  readonly composite: number;
  readonly logLength: number;
}

/**
 * An answer from data to the open question of the paper's section 5.4: the slope of composite on log₂ length within
 * writers (fixed effects). Levels are not corrected by it: a slope is known far less precisely than a level, and
 * removing it has reversed a leaderboard.
 */
export function lengthControl(chapters: readonly ScoredChapter[], population: ReferencePopulation): LengthControl {
  const texts = measured(chapters, population);
  const writers = new Map<string, Text[]>();
  for (const text of texts) writers.set(text.writer, [...(writers.get(text.writer) ?? []), text]);
  const writerMeans = [...writers.values()].map((own) => ({
    composite: mean(own.map((text) => text.composite)),
    logLength: mean(own.map((text) => text.logLength)),
  }));
  const slope = withinWriterSlope([...writers.values()]);
  const columns = (rows: readonly { composite: number; logLength: number }[]) =>
    [rows.map((row) => row.logLength), rows.map((row) => row.composite)] as const;
  return {
    acrossTexts: spearman(...columns(texts)),
    acrossWriters: spearman(...columns(writerMeans)),
    perDoubling: slope?.value ?? null,
    perDoublingInterval: slope?.interval ?? null,
  };
}

/** A correlation this strong, in either direction, is worth a warning beside the leaderboard. */
const STRONG = 0.3;

/** Warns only if longer texts also score differently within writers, beyond chance. */
function lengthWarning({ acrossTexts, perDoublingInterval }: LengthControl, { warnings }: BenchWords): string[] {
  if (!isDefined(acrossTexts) || Math.abs(acrossTexts.value) < STRONG || !perDoublingInterval) return [];
  const [low, high] = perDoublingInterval;
  return low <= 0 && high >= 0 ? [] : [warnings.length(acrossTexts.value.toFixed(2))];
}

function measured(chapters: readonly ScoredChapter[], population: ReferencePopulation): Text[] {
  return [...groupByNovel(chapters).values()].flatMap((group) => {
    const scores = averageChapters(group, population.dimensions.length);
    const words = group.flatMap((chapter) => (chapter.words === null || chapter.words <= 0 ? [] : [chapter.words]));
    if (words.length === 0 || !scores.every((score) => score !== null)) return [];
    const logLength = Math.log2(mean(words));
    return [{ writer: group[0]!.writer, composite: compositeOf(scores, population), logLength }];
  });
}

/**
 * If a writer's lengths deviate by less than this part of a doubling (7 %), they say nothing about texts of twice the
 * length.
 */
const LEAST_DEVIATION = 0.1;

/** The slope with fixed effects of writers. */
function withinWriterSlope(
  groups: readonly (readonly Text[])[],
): { readonly value: number; readonly interval: readonly [number, number] } | null {
  let covariance = 0;
  let lengths = 0;
  let scores = 0;
  let withinWriters = 0;
  for (const texts of groups) {
    const centre = {
      length: mean(texts.map((text) => text.logLength)),
      score: mean(texts.map((text) => text.composite)),
    };
    withinWriters += texts.length - 1;
    for (const text of texts) {
      covariance += (text.logLength - centre.length) * (text.composite - centre.score);
      lengths += (text.logLength - centre.length) ** 2;
      scores += (text.composite - centre.score) ** 2;
    }
  }
  const degreesOfFreedom = withinWriters - 1;
  if (degreesOfFreedom < 1 || Math.sqrt(lengths / withinWriters) < LEAST_DEVIATION) return null;
  const value = covariance / lengths;
  const error = Math.sqrt(Math.max(0, scores - value * covariance) / degreesOfFreedom / lengths);
  return { value, interval: studentInterval(value, error, degreesOfFreedom) };
}

interface GenreLevels {
  readonly genre: string;
  /** Human novels of this genre in the population. */
  readonly population: number;
  readonly writers: readonly {
    readonly writer: string;
    /** Mean percentile among the human novels of this genre; null if these are too few for a population. */
    readonly level: number | null;
    readonly composite: number;
    readonly novels: number;
  }[];
}

const FEWEST_NOVELS = 10;

/** Levels of writers by genre: a novel has the genre of the human novel whose synopsis it was written from. */
function genreLevels(chapters: readonly ScoredChapter[], population: ReferencePopulation): GenreLevels[] {
  const genres = new Map(
    population.novels.flatMap(({ novel, genre }) => (genre === undefined ? [] : [[novel, genre]])),
  );
  if (genres.size === 0) return [];
  const writers = placedNovels(chapters, population);
  return [...new Set(genres.values())].sort().map((genre) => {
    const humans = population.novels.filter((novel) => novel.genre === genre);
    const within = humans.length < FEWEST_NOVELS ? null : placer({ ...population, novels: humans });
    return {
      genre,
      population: humans.length,
      writers: writers.flatMap(({ writer, novels }) => {
        const own = novels.filter(({ novel }) => genres.get(novel) === genre).map(({ composite }) => composite);
        if (own.length === 0) return [];
        const level = within && mean(own.map((composite) => within.percentile(composite)));
        return [{ writer, level, composite: mean(own), novels: own.length }];
      }),
    };
  });
}

/**
 * A writer that lacks this much more of the chapters than the most complete one is placed by clearly different
 * chapters.
 */
const CLEAR_GAP = 0.1;

/**
 * Warns about writers that lack chapters of novels for which other writers have them. Their levels and composites are
 * based on other chapters, and the missing ones may be the hard ones.
 */
function coverageWarning(chapters: readonly ScoredChapter[], { warnings }: BenchWords): string[] {
  const shares = chapterCoverage(chapters);
  const fullest = Math.max(...shares.map(({ share }) => share));
  const lacking = shares
    .filter(({ share }) => fullest - share >= CLEAR_GAP)
    .sort((left, right) => left.share - right.share)
    .map(({ writer, share }) => ({ writer, percent: (100 * share).toFixed(0) }));
  return lacking.length === 0 ? [] : [warnings.chapterCoverage(lacking)];
}

/**
 * For each writer, the share of chapters it has, among those that any writer has of its novels. Scores without
 * chapter numbers are left out.
 */
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

/** A second judge's scores of the same texts, with its own population. */
export interface SecondJudge {
  readonly chapters: readonly ScoredChapter[];
  readonly population: ReferencePopulation;
}

/** Where writers stand, with checks of whether this can be believed. */
export interface WriterBenchmark {
  readonly population: ReferencePopulation;
  readonly board: Leaderboard;
  readonly length: LengthControl;
  readonly ceiling: CeilingCheck;
  readonly crossJudge: CrossJudge | null;
  readonly panel: PanelAgreement | null;
  readonly anchors: AnchorCheck | null;
  readonly selfPreference: SelfPreference | null;
  /** How many novels are needed to detect which difference; null if no two writers share novels. */
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
): WriterBenchmark {
  const board = leaderboard(chapters, population, random);
  const other = second ? leaderboard(second.chapters, second.population, random) : null;
  const length = lengthControl(chapters, population);
  const ceiling = ceilingCheck(board, population.language);
  const words = wordsIn(population.language);
  const panel = panelAgreement(chapters, population, random);
  // A panel has no model family, so each of its judges is compared with the others.
  const beside =
    second && other && !areOwnPopulation(chapters, population)
      ? { judge: second.population.judge.id, board: other }
      : null;
  const preference = panel ? null : selfPreference(population.judge.id, board, beside, words);
  const anchors = anchorCheck(population, random);
  const unplaced = sum(board.rows.map((row) => row.unplaced));
  const warnings = [
    ...population.warnings,
    ...(ceiling.advice ? [ceiling.advice] : []),
    ...lengthWarning(length, words),
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

/**
 * If the ranked stories are their own population, they set the scale of both judges: a judge that favours some
 * writers has more spread-out scores, and all differences from the other judge follow from that.
 */
function areOwnPopulation(chapters: readonly ScoredChapter[], { novels }: ReferencePopulation): boolean {
  const writers = new Set(chapters.map(({ writer }) => writer));
  return novels.some(({ writer }) => writers.has(writer));
}
