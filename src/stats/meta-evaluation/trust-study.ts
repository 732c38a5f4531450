import { type Random, randomInteger, seededRandom } from "../../core/random.ts";
import {
  type AlternativeAnnotator,
  alternativeAnnotator,
  krippendorffAlpha,
  linConcordance,
  nearestStep,
} from "../agreement.ts";
import { williamsTest } from "../comparison/significance-tests.ts";
import { kendallTau, pearson, spearman } from "../correlation.ts";
import { averageRanks, mean, rankableMean, standardDeviation } from "../distribution.ts";
import { percentileBootstrap } from "../resampling.ts";
import { normalQuantile } from "../special/normal.ts";
import { defined, isDefined, notDefined, type Statistic } from "../statistic.ts";
import { carryingPoint } from "./agreement-study.ts";
import { type OtherScale, otherScales, type StrayValue, strayValues } from "./doubtful-values.ts";
import { positionsByName } from "./draws.ts";

/** Judges × texts × raters; NaN for a missing score. */
export interface TrustTable {
  readonly texts: readonly string[];
  /** Raters by name, or the first, second … rating of each text if the raters are not known. */
  readonly raters: readonly { readonly name: string; readonly scores: Float64Array }[];
  readonly judges: readonly TrustJudge[];
  /** The score agreed on after raters disagreed; NaN for texts where the mean of the raters counts. */
  readonly adjudicated?: Float64Array | null;
  /** Who wrote each text. */
  readonly system: readonly string[] | null;
  /** The prompt of each text. Texts of one prompt are not independent, so whole prompts are resampled. */
  readonly item: readonly string[] | null;
  /** The kind of each text, for results by kind. */
  readonly kind: readonly string[] | null;
}

export interface TrustJudge {
  readonly name: string;
  /** The mean of its runs. */
  readonly scores: Float64Array;
  /** Run by run, if a text was judged more than once. */
  readonly runs: readonly (readonly number[])[];
}

export interface TrustOptions {
  readonly seed: number;
  readonly resamples: number;
  /** How far behind a person a judge may be in the alternative-annotator test. */
  readonly margin: number;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

/** A figure with its 95 % interval over texts, or over their prompts. */
export interface Figure {
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  readonly reason?: string;
}

/** How well people agree with each other. */
export interface Ceiling {
  readonly raters: number;
  /** How many texts two or more people rated. */
  readonly texts: number;
  /** One person's rank correlation with the mean of the others, averaged over the raters. */
  readonly spearman: Figure;
  readonly alpha: Figure;
  /** Quadratic κ of two raters, averaged over pairs. */
  readonly kappa: Figure;
}

export interface JudgeTrust {
  readonly judge: string;
  readonly n: number;
  readonly missing: number;
  /** Correlation with the mean of the raters. */
  readonly spearman: Figure;
  readonly kendall: Figure;
  readonly pearson: Figure;
  /** Agreement with the mean of all raters but one, averaged over raters: comparable with the ceiling. */
  readonly besidePeople: Figure;
  /** Quadratic κ with one rater, averaged. */
  readonly kappa: Figure;
  readonly alternative: AlternativeAnnotator | null;
  /** Whether its scores were converted to the raters' scale for κ and the alternative-annotator test. */
  readonly isMoved: boolean;
  /** Rank correlation without the system that changes it most; null if there are no systems or none matters. */
  readonly carriedBy: { readonly system: string; readonly without: number } | null;
  /** Pearson's r without the text that changes it most; null if none matters. */
  readonly carriedByText: { readonly text: string; readonly without: number } | null;
  /** The share of the variance of one run's scores that lies between texts; null if no text was judged twice. */
  readonly reliability: number | null;
  readonly runs: number;
  readonly kinds: readonly { readonly kind: string; readonly n: number; readonly spearman: Figure }[];
}

/** Compares the best judge with the second, and says how many texts would settle open questions. */
export interface TrustPlan {
  readonly best: string;
  readonly second: string | null;
  readonly difference: Figure;
  /** How many texts both judged. */
  readonly textsCompared: number;
  /** Williams' test of the two rank correlations. */
  readonly p: number | null;
  readonly isSettled: boolean;
  /**
   * The total number of texts that would settle which is better four times in five, if the difference is as large as
   * it looks; null beyond the largest number tried.
   */
  readonly textsToTell: number | null;
  /** The total number of texts that would give the best judge's correlation an interval of ± 0.1. */
  readonly textsForPrecision: number | null;
  readonly mostTried: number;
  /** The best judge's correlation if each text were judged this often; null if repeatability is unknown. */
  readonly withRuns: { readonly runs: number; readonly spearman: number } | null;
}

export interface TrustStudy {
  readonly texts: number;
  readonly ceiling: Ceiling;
  readonly judges: readonly JudgeTrust[];
  readonly strays: readonly StrayValue[];
  readonly otherScales: readonly OtherScale[];
  readonly plan: TrustPlan;
  readonly byKind: readonly { readonly kind: string; readonly plan: TrustPlan }[];
}

const POWER = 0.8;
const PRECISION = 0.1;
const SIGNIFICANCE = 0.05;
const MOST_TEXTS = 3000;
const CARRIES = 0.1;
const ENOUGH_RUNS = 5;
const FEWEST_OF_A_KIND = 10;
const MOST_RESAMPLED_VALUES = 400_000;
const FEWEST_RESAMPLES = 200;
/**
 * With fewer texts, intervals contain the truth less often than they claim; four texts may even agree perfectly by
 * chance.
 */
const FEWEST_TEXTS = 15;
/** The fewest prompts, if these have several texts each. */
const FEWEST_PROMPTS = 8;
const fewestDrawn = ({ item }: TrustTable) => (item ? FEWEST_PROMPTS : FEWEST_TEXTS);

/**
 * Everything that `fabula trust` reports about a table. Every judge is compared on the texts scored by it and by at
 * least one person.
 */
export function studyTrust(table: TrustTable, options: TrustOptions): TrustStudy {
  const human = settledRatings(table);
  const all = table.texts.map((_, at) => at);
  let done = 0;
  const judges = table.judges.map((judge) => {
    options.onProgress?.("measuring judges", done++, table.judges.length);
    return judgeTrust(judge, human, table, options);
  });
  const kinds = table.kind
    ? [...positionsByName(table.kind)].filter(([, rows]) => rows.length >= FEWEST_OF_A_KIND)
    : [];
  options.onProgress?.("planning", 0, 1 + kinds.length);
  return {
    texts: table.texts.length,
    ceiling: ceilingOf(table, options),
    judges,
    strays: strayValues(table),
    otherScales: otherScales(table.raters),
    plan: planOf(table, human, all, options),
    byKind: kinds.map(([kind, rows]) => ({ kind, plan: planOf(table, human, rows, options) })),
  };
}

/** People's score of each text: the mean of the raters, or the score agreed on after they disagreed. */
export function settledRatings({ raters, texts, adjudicated }: TrustTable): Float64Array {
  const means = meansOf(
    raters.map(({ scores }) => scores),
    texts.length,
  );
  return means.map((rating, at) => (adjudicated && !Number.isNaN(adjudicated[at]!) ? adjudicated[at]! : rating));
}

function meansOf(columns: readonly ArrayLike<number>[], rows: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    const known = columns.map((column) => column[row]!).filter((value) => !Number.isNaN(value));
    return known.length === 0 ? Number.NaN : rankableMean(known);
  });
}

/** The agreement of each person with the mean of the others; raters for whom it is undefined are left out. */
function ceilingOf(table: TrustTable, options: TrustOptions): Ceiling {
  const columns = table.raters.map(({ scores }) => scores);
  const rated = table.texts.flatMap((_, at) =>
    columns.filter((scores) => !Number.isNaN(scores[at]!)).length > 1 ? [at] : [],
  );
  const none = columns.length < 2 || rated.length < 3;
  const undefinedCeiling = {
    value: null,
    interval: null,
    reason: "one rating per text says nothing of how people agree",
  };
  const left = leftOut(columns, table.texts.length);
  const pairs = columns.flatMap((one, at) => columns.slice(at + 1).map((other) => [one, other] as const));
  return {
    raters: columns.length,
    texts: rated.length,
    spearman: none
      ? undefinedCeiling
      : figure(
          (rows) => averageStatistic(columns.map((own, at) => correlationOn(spearman, own, left[at]!, rows))),
          rated,
          table,
          options,
        ),
    alpha: none
      ? undefinedCeiling
      : figure(
          (rows) =>
            krippendorffAlpha(
              columns.map((scores) => Array.from(rows, (row) => scores[row]!)),
              "interval",
            ),
          rated,
          table,
          options,
        ),
    kappa: none
      ? undefinedCeiling
      : figure((rows) => averageStatistic(pairs.map(([one, other]) => kappaOn(one, other, rows))), rated, table, {
          ...options,
          resamples: 0,
        }),
  };
}

/** For each column, the mean of all the others. */
function leftOut(columns: readonly Float64Array[], rows: number): Float64Array[] {
  return columns.map((_, at) =>
    meansOf(
      columns.filter((__, other) => other !== at),
      rows,
    ),
  );
}

function judgeTrust(judge: TrustJudge, human: Float64Array, table: TrustTable, options: TrustOptions): JudgeTrust {
  const rows = judgedRows(
    judge,
    human,
    table.texts.map((_, at) => at),
  );
  const columns = table.raters.map(({ scores }) => scores);
  const others = leftOut(columns, table.texts.length);
  const { scores: moved, isMoved } = onRatersScale(judge.scores, columns, rows);
  const ratings = [...new Set(columns.flatMap((own) => [...own].filter((rating) => !Number.isNaN(rating))))];
  const asRatings = moved.map((score) => (Number.isNaN(score) ? score : nearestStep(score, ratings)));
  const measured = (correlation: Correlation) =>
    figure((drawn) => correlationOn(correlation, judge.scores, human, drawn), rows, table, options);
  const value = correlationOn(spearman, judge.scores, human, rows);
  const linear = correlationOn(pearson, judge.scores, human, rows).value;
  const [ofPeople, ofJudge] = [human, judge.scores].map((column) => Float64Array.from(rows, (row) => column[row]!));
  const carrying = carryingPoint(linear, ofPeople!, ofJudge!);
  return {
    judge: judge.name,
    n: rows.length,
    missing: table.texts.length - rows.length,
    spearman: measured(spearman),
    kendall: measured(kendallTau),
    pearson: measured(pearson),
    besidePeople:
      columns.length < 2
        ? { value: null, interval: null, reason: "there is one rater" }
        : figure(
            (drawn) =>
              averageStatistic(
                columns.map((own, at) => correlationOn(spearman, judge.scores, withGaps(others[at]!, own), drawn)),
              ),
            rows,
            table,
            options,
          ),
    kappa: figure((drawn) => averageStatistic(columns.map((own) => kappaOn(asRatings, own, drawn))), rows, table, {
      ...options,
      resamples: 0,
    }),
    alternative: alternativeAnnotator(
      [...moved],
      columns.map((scores) => [...scores]),
      options.margin,
    ),
    isMoved,
    carriedBy: table.system && isDefined(value) ? carrier(judge, human, rows, table.system, value.value) : null,
    carriedByText: carrying && { text: table.texts[rows[carrying.position]!]!, without: carrying.without },
    reliability: reliabilityOf(judge.runs),
    runs: Math.max(1, ...judge.runs.map(({ length }) => length)),
    kinds: table.kind
      ? [...positionsByName(table.kind)].map(([kind, positions]) => {
          const own = judgedRows(judge, human, positions);
          return {
            kind,
            n: own.length,
            spearman: figure((drawn) => correlationOn(spearman, judge.scores, human, drawn), own, table, options),
          };
        })
      : [],
  };
}

type Correlation = (left: ArrayLike<number>, right: ArrayLike<number>) => Statistic;

function judgedRows(judge: TrustJudge, human: Float64Array, rows: readonly number[]): number[] {
  return rows.filter((row) => !Number.isNaN(judge.scores[row]!) && !Number.isNaN(human[row]!));
}

/** The other raters' mean on the texts that the left-out rater rated. */
function withGaps(means: Float64Array, own: Float64Array): Float64Array {
  return means.map((value, row) => (Number.isNaN(own[row]!) ? Number.NaN : value));
}

function correlationOn(
  correlation: Correlation,
  left: Float64Array,
  right: Float64Array,
  rows: ArrayLike<number>,
): Statistic {
  const known = Array.from(rows).filter((row) => !Number.isNaN(left[row]!) && !Number.isNaN(right[row]!));
  if (known.length < 3) return notDefined("fewer than three texts have both");
  const found = correlation(
    known.map((row) => left[row]!),
    known.map((row) => right[row]!),
  );
  if (isDefined(found)) return found;
  const isOne = (column: Float64Array) => known.every((row) => column[row] === column[known[0]!]);
  if (isOne(left)) return notDefined("all scores are equal");
  return isOne(right) ? notDefined("people gave all texts the same rating") : found;
}

/**
 * Quadratic κ by the ratings' values, which equals Lin's concordance of the two (Fleiss and Cohen, 1973). A judge's
 * score between two ratings counts as the nearer one.
 */
function kappaOn(left: Float64Array, right: Float64Array, rows: ArrayLike<number>): Statistic {
  const known = Array.from(rows).filter((row) => !Number.isNaN(left[row]!) && !Number.isNaN(right[row]!));
  if (known.length < 3) return notDefined("fewer than three texts have both");
  return linConcordance(
    known.map((row) => left[row]!),
    known.map((row) => right[row]!),
  );
}

function averageStatistic(statistics: readonly Statistic[]): Statistic {
  const known = statistics.filter(isDefined);
  return known.length === 0
    ? notDefined("nothing varies, or too few texts have both")
    : defined(mean(known.map(({ value }) => value)));
}

/**
 * Converts scores on another scale so that their mean and spread match those of single ratings of the same texts,
 * which shows which rating a score stands for.
 */
function onRatersScale(
  scores: Float64Array,
  raters: readonly Float64Array[],
  rows: readonly number[],
): { scores: Float64Array; isMoved: boolean } {
  const ratings = raters.flatMap((own) => rows.map((row) => own[row]!).filter((rating) => !Number.isNaN(rating)));
  const known = rows.map((row) => scores[row]!);
  if (ratings.length < 2 || known.length < 2) return { scores, isMoved: false };
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  if (known.every((score) => score >= low && score <= high)) return { scores, isMoved: false };
  const spread = standardDeviation(known);
  const factor = spread === 0 ? 0 : standardDeviation(ratings) / spread;
  const centre = mean(ratings);
  const from = mean(known);
  return {
    scores: scores.map((score) => Math.min(high, Math.max(low, centre + factor * (score - from)))),
    isMoved: true,
  };
}

/** The system whose removal changes the rank correlation most, if by a tenth or more. */
function carrier(
  judge: TrustJudge,
  human: Float64Array,
  rows: readonly number[],
  system: readonly string[],
  whole: number,
) {
  const names = [...new Set(rows.map((row) => system[row]!))];
  if (names.length < 3) return null;
  const without = names.flatMap((name) => {
    const { value } = correlationOn(
      spearman,
      judge.scores,
      human,
      rows.filter((row) => system[row] !== name),
    );
    return value === null ? [] : [{ system: name, without: value }];
  });
  const largest = without.reduce<{ system: string; without: number } | null>(
    (most, one) => (most === null || Math.abs(one.without - whole) > Math.abs(most.without - whole) ? one : most),
    null,
  );
  return largest && Math.abs(largest.without - whole) >= CARRIES ? largest : null;
}

/** The one-way intraclass correlation of a single run. */
function reliabilityOf(runs: readonly (readonly number[])[]): number | null {
  const repeated = runs.filter(({ length }) => length > 1);
  if (repeated.length < 3) return null;
  const within = mean(repeated.map((scores) => standardDeviation(scores) ** 2));
  const size = mean(repeated.map(({ length }) => length));
  const between = standardDeviation(repeated.map((scores) => mean(scores))) ** 2 - within / size;
  const total = Math.max(0, between) + within;
  return total === 0 ? null : Math.max(0, between) / total;
}

/** A statistic over rows, with an interval from resampling texts, or prompts if several texts belong to one. */
function figure(
  statistic: (rows: ArrayLike<number>) => Statistic,
  rows: readonly number[],
  table: TrustTable,
  { seed, resamples }: TrustOptions,
): Figure {
  const observed = statistic(rows);
  if (!isDefined(observed)) return { value: null, interval: null, reason: observed.reason };
  if (resamples === 0) return { value: observed.value, interval: null };
  const units = unitsOf(rows, table.item).length;
  if (units < fewestDrawn(table)) {
    const drawn = `${units} ${table.item ? "prompt" : "text"}${units === 1 ? " is" : "s are"}`;
    const reason = `${drawn} too few for an interval, which takes ${fewestDrawn(table)}`;
    return { value: observed.value, interval: null, reason };
  }
  const { interval } = percentileBootstrap<ArrayLike<number>>({
    draw: drawer(rows, table.item),
    statistic,
    random: seededRandom(seed),
    resamples: Math.min(resamples, Math.max(FEWEST_RESAMPLES, Math.floor(MOST_RESAMPLED_VALUES / rows.length))),
  });
  return { value: observed.value, interval };
}

/** Resamples as many units as there are: texts, or prompts with all their texts. */
function drawer(rows: readonly number[], item: readonly string[] | null): (random: Random) => number[] {
  const units = unitsOf(rows, item);
  return (random) => units.flatMap(() => units[randomInteger(random, units.length)]!);
}

function unitsOf(rows: readonly number[], item: readonly string[] | null): (readonly number[])[] {
  if (!item) return rows.map((row) => [row]);
  const units = new Map<string, number[]>();
  for (const row of rows) units.set(item[row]!, [...(units.get(item[row]!) ?? []), row]);
  return [...units.values()];
}

/** Which judge is best on these texts, whether this is settled, and how many texts would settle it. */
function planOf(table: TrustTable, human: Float64Array, rows: readonly number[], options: TrustOptions): TrustPlan {
  const shared = rows.filter(
    (row) => !Number.isNaN(human[row]!) && table.judges.some(({ scores }) => !Number.isNaN(scores[row]!)),
  );
  // Perfect agreement on three texts is no reason to prefer a judge to one that was tested on a hundred.
  const isKnown = (judge: TrustJudge) =>
    unitsOf(judgedRows(judge, human, shared), table.item).length >= fewestDrawn(table);
  const ranked = table.judges
    .map((judge) => ({ judge, value: correlationOn(spearman, judge.scores, human, shared).value }))
    .filter((one): one is { judge: TrustJudge; value: number } => one.value !== null)
    .sort((one, other) => Number(isKnown(other.judge)) - Number(isKnown(one.judge)) || other.value - one.value);
  const [best, second] = ranked;
  const none = { value: null, interval: null, reason: "there is nothing to compare" };
  if (!best) {
    return {
      best: table.judges[0]!.name,
      second: null,
      difference: none,
      textsCompared: 0,
      p: null,
      isSettled: false,
      textsToTell: null,
      textsForPrecision: null,
      mostTried: MOST_TEXTS,
      withRuns: null,
    };
  }
  const own = judgedRows(best.judge, human, shared);
  const withRuns = moreRuns(best.judge, best.value);
  const agreement = figure((drawn) => correlationOn(spearman, best.judge.scores, human, drawn), own, table, options);
  const precise = textsForPrecision(agreement, own.length);
  if (!second) {
    return {
      best: best.judge.name,
      second: null,
      difference: none,
      textsCompared: 0,
      p: null,
      isSettled: true,
      textsToTell: null,
      textsForPrecision: precise,
      mostTried: MOST_TEXTS,
      withRuns,
    };
  }
  const both = own.filter((row) => !Number.isNaN(second.judge.scores[row]!));
  const difference = (drawn: ArrayLike<number>): Statistic => {
    const [one, other] = [best, second].map(({ judge }) => correlationOn(spearman, judge.scores, human, drawn).value);
    return typeof one === "number" && typeof other === "number"
      ? defined(one - other)
      : notDefined("a column is constant");
  };
  const compared = figure(difference, both, table, options);
  const p = rankWilliams(best.judge.scores, second.judge.scores, human, both);
  const isSettled = compared.interval !== null && compared.interval[0] > 0;
  return {
    best: best.judge.name,
    second: second.judge.name,
    difference: compared,
    textsCompared: both.length,
    p,
    isSettled,
    textsToTell: isSettled ? both.length : textsToTell(compared, both.length),
    textsForPrecision: precise,
    mostTried: MOST_TEXTS,
    withRuns,
  };
}

/** Williams' test on ranks. */
function rankWilliams(
  first: Float64Array,
  second: Float64Array,
  human: Float64Array,
  rows: ArrayLike<number>,
): number | null {
  const ranks = [first, second, human].map((column) => averageRanks(Float64Array.from(rows, (row) => column[row]!)));
  const [one, other, between] = [
    pearson(ranks[0]!, ranks[2]!),
    pearson(ranks[1]!, ranks[2]!),
    pearson(ranks[0]!, ranks[1]!),
  ];
  if (one.value === null || other.value === null || between.value === null) return null;
  const test = williamsTest({ first: one.value, second: other.value, between: between.value, n: rows.length });
  return "p" in test ? test.p : null;
}

/**
 * How many texts distinguish two judges four times in five, if they differ as much as they seem to: the spread of the
 * resampled difference falls with the square root of the number of texts.
 */
function textsToTell({ value, interval }: Figure, texts: number): number | null {
  if (value === null || value === 0 || interval === null) return null;
  const error = (interval[1] - interval[0]) / (2 * normalQuantile(1 - SIGNIFICANCE / 2));
  const needed = texts * (((normalQuantile(1 - SIGNIFICANCE / 2) + normalQuantile(POWER)) * error) / value) ** 2;
  return needed > MOST_TEXTS ? null : Math.max(texts + 1, Math.ceil(needed));
}

/** How many texts give a correlation to ± 0.1: the width of its interval falls with the square root of their number. */
function textsForPrecision({ interval }: Figure, texts: number): number | null {
  if (interval === null) return null;
  const needed = Math.ceil(texts * ((interval[1] - interval[0]) / (2 * PRECISION)) ** 2);
  return needed > MOST_TEXTS ? null : needed;
}

/** The Spearman–Brown formula: the correlation if each text were judged five times. */
function moreRuns(judge: TrustJudge, value: number): TrustPlan["withRuns"] {
  const reliability = reliabilityOf(judge.runs);
  const now = Math.max(1, ...judge.runs.map(({ length }) => length));
  if (reliability === null || reliability === 0 || now >= ENOUGH_RUNS) return null;
  const of = (runs: number) => (runs * reliability) / (1 + (runs - 1) * reliability);
  return { runs: ENOUGH_RUNS, spearman: Math.min(1, value * Math.sqrt(of(ENOUGH_RUNS) / of(now))) };
}
