import type { Random } from "../core/random.ts";
import { pairedSampleSize } from "../stats/comparison/significance-tests.ts";
import { kendallTau, spearman } from "../stats/correlation.ts";
import { interquartileRange, mean, quantile, quantiles, sum, variance } from "../stats/distribution.ts";
import { studentInterval } from "../stats/special/student-t.ts";
import type { Statistic } from "../stats/statistic.ts";
import { modelFamily } from "./model-family.ts";
import { averageChapters, groupByNovel, type ScoredChapter } from "./population/novel-scores.ts";
import { populationOfMember } from "./population/panel.ts";
import { placer } from "./population/place-on-population.ts";
import type { ReferencePopulation } from "./population/reference-population.ts";
import { type BenchWords, wordsIn } from "./words.ts";
import { LEAST_NOVELS, SIGNIFICANCE, toldApart, type WriterComparisons } from "./writers/compare-writers.ts";
import { type Leaderboard, leaderboard } from "./writers/leaderboard.ts";
import { type WriterLevel, writerLevel } from "./writers/writer-level.ts";

export interface AnchorCheck {
  readonly novels: number;
  readonly level: number;
  readonly interval: readonly [number, number];
  /** The median percentile of the anchors. */
  readonly median: number;
  readonly warning: string | null;
}

/** Most of the population lies below this percentile. */
const BULK = 75;

/**
 * The paper's own check: prize-winning classics must be high in the population, or the judge rewards something else
 * than what makes a classic. Null if the population has no anchors.
 */
export function anchorCheck(population: ReferencePopulation, random: Random): AnchorCheck | null {
  const anchors = population.anchors ?? [];
  const level = anchorLevel(population, random);
  if (level === null) return null;
  const { percentile } = placer(population);
  const median = quantiles(
    anchors.map(({ composite }) => percentile(composite)),
    [0.5],
  )[0]!;
  return {
    novels: anchors.length,
    level: level.level,
    interval: level.interval,
    median,
    warning: median >= BULK ? null : wordsIn(population.language).warnings.anchorsLow(median.toFixed(0), BULK),
  };
}

/** The level of all anchors together, as if they were one writer. */
function anchorLevel(population: ReferencePopulation, random: Random): WriterLevel | null {
  const chapters = (population.anchors ?? []).map(({ novel, words, scores }) => ({
    ...{ novel, writer: "anchors", chapter: 1, words, scores },
  }));
  return chapters.length === 0 ? null : writerLevel("anchors", chapters, population, random);
}

export interface CeilingCheck {
  /** Writers whose level reaches the top of the population, so that percentiles no longer separate them. */
  readonly atCeiling: readonly string[];
  /** Share of the other writers that cannot be told apart from the best; null if it is alone. */
  readonly withinNoiseOfTop: number | null;
  readonly advice: string | null;
}

const CEILING = 97;
/** A writer with a larger share of novels above the whole population counts as above it. */
const MOST_ABOVE = 0.5;

/** Whether a percentile says no more than "above the population", so that the composite must be read instead. */
export function isAtCeiling({ level, abovePopulation }: WriterLevel): boolean {
  return level >= CEILING || abovePopulation > MOST_ABOVE;
}

/**
 * The paper's first open question: if the best writers are all at 99, the population can no longer tell them apart.
 * The composite has no ceiling, so the comparison continues there; a stronger population would make percentiles
 * useful again.
 */
export function ceilingCheck({ rows, comparisons }: Leaderboard, language?: string): CeilingCheck {
  const [best, ...others] = rows;
  if (!best) return { atCeiling: [], withinNoiseOfTop: null, advice: null };
  const atCeiling = rows.filter(isAtCeiling).map((row) => row.writer);
  const differ = toldApart(comparisons);
  const near = others.filter(({ writer }) => !differ(best.writer, writer)).length;
  const advice = atCeiling.length === 0 ? null : wordsIn(language).warnings.ceiling(atCeiling);
  return { atCeiling, withinNoiseOfTop: others.length === 0 ? null : near / others.length, advice };
}

export interface CrossJudge {
  readonly writers: number;
  readonly spearman: Statistic;
  readonly kendall: Statistic;
  /** The writers whose rank differs most between the two judges. */
  readonly moved: readonly { readonly writer: string; readonly from: number; readonly to: number }[];
}

/** Whether a second judge gives the same order, over the writers that both have placed. */
export function crossJudge(first: Leaderboard, second: Leaderboard): CrossJudge {
  const other = new Map(second.rows.map((row) => [row.writer, row]));
  const shared = first.rows.flatMap((row) => {
    const match = other.get(row.writer);
    return match ? [{ writer: row.writer, first: row, second: match }] : [];
  });
  const levels = [shared.map((pair) => pair.first.composite), shared.map((pair) => pair.second.composite)] as const;
  const moved = shared
    .map((pair) => ({ writer: pair.writer, from: pair.first.rank, to: pair.second.rank }))
    .filter((move) => move.from !== move.to)
    .sort((left, right) => Math.abs(right.from - right.to) - Math.abs(left.from - left.to))
    .slice(0, 5);
  return { writers: shared.length, spearman: spearman(...levels), kendall: kendallTau(...levels), moved };
}

export interface SelfPreference {
  readonly family: string;
  readonly writers: readonly string[];
  /**
   * How much higher the judge places its own model family than a second judge does, compared with its treatment of
   * writers of neither's family. In composites, because percentiles of strong writers are all near 100 with either
   * judge and would hide it. Null without a judge of another family, or with too few writers for an interval.
   */
  readonly advantage: number | null;
  /** 95 %, over writers. */
  readonly interval: readonly [number, number] | null;
  readonly warning: string;
}

/** A second judge and its leaderboard. */
interface OtherJudge {
  readonly judge: string;
  readonly board: Leaderboard;
}

/**
 * Measures whether a judge favours writers of its own model family. With a second judge of another family the
 * advantage is a difference of differences, relative to the writers of neither family; otherwise a second judge that
 * favours its own family would make the first look unfair. Without a second judge, there is only a warning.
 */
export function selfPreference(
  judge: string,
  board: Leaderboard,
  second: OtherJudge | null,
  { warnings }: BenchWords,
): SelfPreference | null {
  const family = modelFamily(judge);
  if (!family) return null;
  const own = board.rows.filter((row) => modelFamily(row.writer) === family);
  if (own.length === 0) return null;
  const writers = own.map((row) => row.writer);
  const warning = warnings.ownFamily(judge, writers.length, family);
  return { family, writers, ...advantageOf(family, board, second), warning };
}

function advantageOf(
  family: string,
  { rows }: Leaderboard,
  second: OtherJudge | null,
): Pick<SelfPreference, "advantage" | "interval"> {
  const otherFamily = second && modelFamily(second.judge);
  if (!second || otherFamily === family) return { advantage: null, interval: null };
  const other = new Map(second.board.rows.map((row) => [row.writer, row.composite]));
  const gaps = (isWanted: (writersFamily: string | null) => boolean) =>
    rows.flatMap(({ writer, composite }) => {
      const byOther = other.get(writer);
      return byOther === undefined || !isWanted(modelFamily(writer)) ? [] : [composite - byOther];
    });
  const own = gaps((writersFamily) => writersFamily === family);
  const neutral = gaps((writersFamily) => writersFamily !== family && (!otherFamily || writersFamily !== otherFamily));
  return differenceOfMeans(own, neutral);
}

/**
 * Student's interval with a common variance for both groups: judges differ on single writers whatever their family,
 * and a family of one writer does not show by how much. The writers are the sample, because the claim is about
 * families of them.
 */
function differenceOfMeans(own: readonly number[], neutral: readonly number[]) {
  const degreesOfFreedom = own.length + neutral.length - 2;
  const squares = sum([own, neutral].map((gaps) => sum(gaps.map((gap) => (gap - mean(gaps)) ** 2))));
  if (own.length === 0 || neutral.length === 0 || degreesOfFreedom < 1 || squares === 0)
    return { advantage: null, interval: null };
  const error = Math.sqrt((squares / degreesOfFreedom) * (1 / own.length + 1 / neutral.length));
  const advantage = mean(own) - mean(neutral);
  return { advantage, interval: studentInterval(advantage, error, degreesOfFreedom) };
}

export interface PanelAgreement {
  readonly judges: readonly {
    readonly judge: string;
    readonly board: Leaderboard;
    /** The judge's own dimensions, and each writer's means on them; null if the judge gave none. */
    readonly dimensions: readonly string[];
    readonly means: ReadonlyMap<string, readonly (number | null)[]>;
    /** Against the first judge of another family. */
    readonly selfPreference: SelfPreference | null;
  }[];
  /** For every two judges, how far they agree on the order of the writers. */
  readonly pairs: readonly { readonly first: string; readonly second: string; readonly agreement: CrossJudge }[];
}

/** Each judge's own leaderboard beside the panel's, and how well they agree. Null for a single judge. */
export function panelAgreement(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
): PanelAgreement | null {
  const members = population.panel ?? [];
  if (members.length < 2) return null;
  const judges = members.map(({ judge, dimensions }, index) => {
    const own = chapters.map((chapter) => ({ ...chapter, scores: [chapter.scores[index] ?? null] }));
    return {
      judge: judge.id,
      board: leaderboard(own, populationOfMember(population, index), random),
      dimensions,
      means: writerMeans(chapters, index, dimensions.length),
    };
  });
  const pairs = judges.flatMap((first, index) =>
    judges.slice(index + 1).map((second) => ({
      ...{ first: first.judge, second: second.judge, agreement: crossJudge(first.board, second.board) },
    })),
  );
  const words = wordsIn(population.language);
  return {
    judges: judges.map((own) => {
      const other = judges.find(({ judge }) => modelFamily(judge) !== modelFamily(own.judge));
      return { ...own, selfPreference: selfPreference(own.judge, own.board, other ?? null, words) };
    }),
    pairs,
  };
}

/** One judge's mean scores for each writer, dimension by dimension, as means over novels. */
function writerMeans(chapters: readonly ScoredChapter[], member: number, dimensions: number) {
  const byWriter = new Map<string, ScoredChapter[]>();
  for (const chapter of chapters) {
    const scores = chapter.scoresByJudge?.[member];
    if (!scores) continue;
    const own = byWriter.get(chapter.writer) ?? [];
    own.push({ ...chapter, scores });
    byWriter.set(chapter.writer, own);
  }
  return new Map(
    [...byWriter].map(([writer, own]) => {
      const novels = [...groupByNovel(own).values()].map((group) => averageChapters(group, dimensions));
      return [
        writer,
        Array.from({ length: dimensions }, (_, dimension) => {
          const known = novels.flatMap((novel) => novel[dimension] ?? []);
          return known.length === 0 ? null : mean(known);
        }),
      ];
    }),
  );
}

export interface PowerAdvice {
  /** Standard deviation of the novels' paired differences: the median over the pilot's pairs. */
  readonly deviation: number;
  /** The number of pairs in the pilot, and of pairs to correct for. */
  readonly pairs: number;
  /**
   * How many novels per writer are needed to detect this difference of composites with 80 % power, among this many
   * pairs.
   */
  readonly novels: readonly { readonly difference: number; readonly novels: number }[];
}

const DIFFERENCES = [0.1, 0.25, 0.5, 1];

/**
 * How many novels to write, computed before spending from the spread of a pilot's paired differences. Null without a
 * pilot.
 */
export function powerAdvice({ pairs }: WriterComparisons, writers?: number): PowerAdvice | null {
  const deviations = pairs.flatMap(({ design, difference, effect }) =>
    design === "paired" && effect ? [Math.abs(difference / effect)] : [],
  );
  if (deviations.length === 0) return null;
  const deviation = quantile(deviations, 0.5);
  const family = writers === undefined ? pairs.length : Math.max(1, (writers * (writers - 1)) / 2);
  // Bonferroni's correction asks for slightly more than the step-down correction, so the advice is conservative.
  const significance = SIGNIFICANCE / family;
  return {
    deviation,
    pairs: family,
    novels: DIFFERENCES.map((difference) => ({
      difference,
      // With fewer novels the permutation test can reach no significance, however large the difference.
      novels: Math.max(LEAST_NOVELS, pairedSampleSize({ difference, deviation, significance })),
    })),
  };
}

export function powerInWords({ deviation, pairs, novels }: PowerAdvice, language?: string): string {
  return wordsIn(language).power(deviation.toFixed(2), pairs, novels);
}

export interface Repeatability {
  readonly text: string;
  readonly repeats: number;
  readonly mean: number;
  readonly interquartileRange: number;
  readonly variance: number;
}

/** The spread of repeated scores of one text: the paper repeats eleven times and reports IQR and variance. */
export function repeatability(scores: ReadonlyMap<string, readonly number[]>): Repeatability[] {
  return [...scores].flatMap(([text, repeats]) =>
    repeats.length < 2
      ? []
      : [
          {
            text,
            repeats: repeats.length,
            mean: mean(repeats),
            interquartileRange: interquartileRange(repeats),
            variance: variance(repeats),
          },
        ],
  );
}
