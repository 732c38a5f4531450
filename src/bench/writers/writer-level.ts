import type { Random } from "../../core/random.ts";
import { mean, quantiles, variance } from "../../stats/distribution.ts";
import { meanSquareDraw, normalDraw, type Spot, UncertainDistribution } from "../../stats/resampling.ts";
import { normalCumulative, roughNormalQuantile } from "../../stats/special/normal.ts";
import { meanInterval, studentInterval } from "../../stats/special/student-t.ts";
import type { ScoredChapter } from "../population/novel-scores.ts";
import { placer } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import { type JudgeSample, summedVariance, type VariancePart } from "./judge-sample.ts";
import { placedNovels, type WriterNovels } from "./placed-novels.ts";

export interface WriterLevel {
  readonly writer: string;
  /** The mean percentile over the writer's novels, 0–100 (the paper's equation 4). */
  readonly level: number;
  /**
   * 95 %, for other novels by this writer (or other chapters of a book), placed on another population of the same
   * kind and size.
   */
  readonly interval: readonly [number, number];
  readonly composite: number;
  /** 95 %, over the writer's novels; null for a single novel. */
  readonly compositeInterval: readonly [number, number] | null;
  /** Share of the writer's novels that score above every novel of the population, 0–1. */
  readonly abovePopulation: number;
  readonly dimensionMeans: readonly number[];
  readonly novels: number;
  readonly chapters: number;
  /** Novels left out because some dimension had no score. */
  readonly unplaced: number;
  readonly meanWords: number | null;
}

const RESAMPLES = 1000;
/** With fewer degrees of freedom than this, it is not known how much a writer's novels differ. */
const LEAST_DEGREES = 5;
/** The variance of the places of the population's own novels, as normal quantiles; novels of one writer differ less. */
const POPULATION_VARIANCE = 1;
/** Shares nearer to 0 or 1 than this are taken as this, so that their quantiles stay finite. */
const NEAR_END = 1e-9;
/** Half a 95 % interval of a normal variable. */
const NORMAL_REACH = 1.959964;

/** One writer's level, without comparison to other writers; null if no novel could be placed. */
export function writerLevel(
  writer: string,
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
): WriterLevel | null {
  const [level] = writerLevels(
    placedNovels(
      chapters.map((chapter) => ({ ...chapter, writer })),
      population,
    ),
    population,
    random,
  );
  return level ?? null;
}

/**
 * The level of writers: every novel is placed by the mean of its chapters, and the level is the mean of the places.
 * Both the population and the writer's novels are samples, and the interval includes the uncertainty of both. Novels
 * are the unit: the noise of chapters is already in the spread of novels. All writers are placed on the same
 * resampled populations.
 */
export function writerLevels(
  writers: readonly WriterNovels[],
  population: ReferencePopulation,
  random: Random,
  { judges = null }: { readonly judges?: JudgeSample | null } = {},
): WriterLevel[] {
  const placed = writers.filter(({ novels }) => novels.length > 0);
  const distribution = new UncertainDistribution(population.novels.map(({ composite }) => composite));
  const spots = placed.map(({ novels }) => novels.map(({ composite }) => distribution.spotOf(composite)));
  const draws = placed.map(() => new Float64Array(RESAMPLES));
  for (let draw = 0; draw < RESAMPLES; draw++) {
    distribution.draw(random);
    if (judges) {
      // Other judges would have placed all writers a little higher or lower, and each of them differently again.
      const common = normalDraw(random);
      for (const [index, { writer, novels }] of placed.entries()) {
        const [all, own] = judges.ofComposite(writer);
        const moved = common * Math.sqrt(all!.variance) + normalDraw(random) * Math.sqrt(own!.variance);
        spots[index] = novels.map(({ composite }) => distribution.spotOf(composite + moved));
      }
    }
    let squares = 0;
    let degrees = 0;
    for (const [index, { novels }] of placed.entries()) {
      if (novels.length === 1) continue;
      const places = drawnPlaces(distribution, spots[index]!, random);
      draws[index]![draw] = drawnLevel(places, random, judges !== null);
      squares += places.squares;
      degrees += places.count - 1;
    }
    for (const [index, { novels }] of placed.entries()) {
      if (novels.length > 1) continue;
      const places = drawnPlaces(distribution, spots[index]!, random);
      draws[index]![draw] = drawnFromOne(places, { squares, degrees }, random);
    }
  }
  const { percentile } = placer(population);
  const best = population.novels.reduce((highest, { composite }) => Math.max(highest, composite), -Infinity);
  return placed.map((own, index) => summary(own, draws[index]!, percentile, best, judges));
}

/** The places of a writer's novels on a resampled population. */
interface Places {
  readonly count: number;
  /** Their mean place, 0–1. */
  readonly share: number;
  /** The mean of their places as normal quantiles, and the squared distances from it. */
  readonly centre: number;
  readonly squares: number;
}

function drawnPlaces(distribution: UncertainDistribution, spots: readonly Spot[], random: Random): Places {
  const count = spots.length;
  let share = 0;
  let centre = 0;
  let squares = 0;
  for (let at = 0; at < count; at++) {
    const place = distribution.shareAt(spots[at]!, random);
    const quantile = probit(place);
    const step = quantile - centre;
    share += place / count;
    centre += step / (at + 1);
    squares += step * (quantile - centre);
  }
  return { count, share, centre, squares };
}

/**
 * The level, as a normal quantile, that other novels of the writer might have on the resampled population. The places
 * of a strong writer crowd just below 100, and their mean is as skewed as they are; their quantiles are nearly
 * normal, so mean and variance are drawn there as from a normal sample. The resulting change of the level is added to
 * the mean place itself, which makes no assumption.
 */
function drawnLevel({ count, share, centre, squares }: Places, random: Random, isWidenedLater: boolean): number {
  const found = squares / (count - 1);
  const drawn = isWidenedLater ? found : found / meanSquareDraw(count - 1, random);
  const moved = centre + Math.sqrt(drawn / count) * normalDraw(random);
  return probit(share) + normalLevel(moved, drawn) - normalLevel(centre, found);
}

/** The quantile of the mean place if the places' own quantiles are normal: E Φ(Z) = Φ(μ / √(1 + σ²)). */
function normalLevel(centre: number, variance: number): number {
  return centre / Math.sqrt(1 + variance);
}

/**
 * The same for a writer of one novel, which does not show how much the next would differ: as much as the novels of
 * the board's other writers differ among themselves or, if those are too few, as novels of the population do.
 */
function drawnFromOne(
  { centre }: Places,
  others: { readonly squares: number; readonly degrees: number },
  random: Random,
): number {
  const { squares, degrees } = others;
  const drawn = degrees < LEAST_DEGREES ? POPULATION_VARIANCE : squares / degrees / meanSquareDraw(degrees, random);
  return normalLevel(centre + Math.sqrt(drawn) * normalDraw(random), drawn);
}

function probit(share: number): number {
  return roughNormalQuantile(Math.min(1 - NEAR_END, Math.max(NEAR_END, share)));
}

function summary(
  { writer, novels, chapters, unplaced, words }: WriterNovels,
  draws: Float64Array,
  percentile: (composite: number) => number,
  best: number,
  judges: JudgeSample | null,
): WriterLevel {
  const composites = novels.map(({ composite }) => composite);
  const level = mean(composites.map(percentile));
  const widening = judges ? wideningOf(writer, composites, judges) : 1;
  const [from, middle, to] = quantiles(draws, [0.025, 0.5, 0.975]) as [number, number, number];
  const [low, high] = [from, to].map((end) => 100 * normalCumulative(middle + widening * (end - middle))) as [
    number,
    number,
  ];
  return {
    writer,
    level,
    interval: [Math.min(low, level), Math.max(high, level)],
    composite: mean(composites),
    compositeInterval: judges ? intervalAcrossJudges(writer, composites, judges) : meanInterval(composites),
    abovePopulation: composites.filter((value) => value > best).length / composites.length,
    dimensionMeans: novels[0]!.scores.map((_, dimension) => mean(novels.map(({ scores }) => scores[dimension]!))),
    novels: novels.length,
    chapters,
    unplaced,
    meanWords: words.length === 0 ? null : mean(words),
  };
}

/**
 * By how much an interval must be widened because few novels and judges show how far others would differ. The draws
 * treat these spreads as known; Student's t with Satterthwaite's degrees of freedom for all of them together corrects
 * for that. Drawing every spread separately, as few judges would suggest, gave intervals that contained the truth in
 * up to 99 % of cases.
 */
function wideningOf(writer: string, composites: readonly number[], judges: JudgeSample): number {
  if (composites.length < 2) return 1;
  const { degrees } = summedVariance(partsOf(writer, composites, judges));
  const [, reach] = studentInterval(0, 1, degrees);
  return reach / NORMAL_REACH;
}

function partsOf(writer: string, composites: readonly number[], judges: JudgeSample): VariancePart[] {
  const novels = { variance: variance(composites) / composites.length, degrees: composites.length - 1 };
  return [novels, ...judges.ofComposite(writer)];
}

/** 95 % over novels and judges; null for a single novel. */
function intervalAcrossJudges(
  writer: string,
  composites: readonly number[],
  judges: JudgeSample,
): [number, number] | null {
  if (composites.length < 2) return null;
  const { error, degrees } = summedVariance(partsOf(writer, composites, judges));
  return error > 0 ? studentInterval(mean(composites), error, degrees) : null;
}
