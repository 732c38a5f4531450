import type { Random } from "../../core/random.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { quantiles } from "../../stats/distribution/quantile.ts";
import { standardDeviation, variance } from "../../stats/distribution/variance.ts";
import { normalDraw, studentDraw } from "../../stats/resampling/random-draws.ts";
import { type Spot, UncertainDistribution } from "../../stats/resampling/uncertain-distribution.ts";
import { meanInterval } from "../../stats/special/student-interval.ts";
import { studentQuantile } from "../../stats/special/student-t.ts";
import { placer } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import { type PlacedNovel, placedNovels, type WriterNovels } from "./placed-novels.ts";

export interface WriterLevel {
  readonly writer: string;
  /** The mean percentile over the writer's novels, 0–100 (the paper's equation 4). */
  readonly level: number;
  /** 95 %: other novels by this writer, placed on another population of the same kind and size. */
  readonly interval: readonly [number, number];
  readonly composite: number;
  /** 95 %, over the writer's novels; null for a single novel. */
  readonly compositeInterval: readonly [number, number] | null;
  /** Share of the writer's novels that stand above every novel of the population, 0–1. */
  readonly abovePopulation: number;
  readonly dimensionMeans: readonly number[];
  readonly novels: number;
  readonly chapters: number;
  /** Novels left out because some dimension had no score. */
  readonly unplaced: number;
  readonly meanWords: number | null;
}

const RESAMPLES = 1000;
/** Shares nearer to 0 or 1 than this are taken as this, so that log-odds stay finite. */
const NEAR_END = 1e-9;
const NORMAL_QUANTILE = 1.959963984540054;

/** One writer's level; null when no novel could be placed. */
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
 * Where writers stand: every novel is placed by the mean of its chapters, and the level is the mean of the places. Both the
 * population and the writer's novels are samples, and the interval holds the uncertainty of both. Novels are the unit:
 * the noise of chapters is in the spread of novels already. All writers are placed on the same drawn populations.
 */
export function writerLevels(
  writers: readonly WriterNovels[],
  population: ReferencePopulation,
  random: Random,
  resamples = RESAMPLES,
): WriterLevel[] {
  const placed = writers.filter(({ novels }) => novels.length > 0);
  const distribution = new UncertainDistribution(population.novels.map(({ composite }) => composite));
  const spots = placed.map(({ novels }) => novels.map(({ composite }) => distribution.spotOf(composite)));
  const draws = placed.map(() => ({ logits: new Float64Array(resamples), ownVariance: 0 }));
  for (let draw = 0; draw < resamples; draw++) {
    distribution.draw(random);
    for (const [index, { novels }] of placed.entries()) {
      const own = draws[index]!;
      const { logit, error } = drawnLevel(distribution, novels, spots[index]!, random);
      own.logits[draw] = logit + error * normalDraw(random);
      own.ownVariance += error ** 2 / resamples;
    }
  }
  const { percentile } = placer(population);
  const best = population.novels.reduce((highest, { composite }) => Math.max(highest, composite), -Infinity);
  return placed.map((own, index) => summary(own, draws[index]!, percentile, best));
}

/** Draws of a level as log-odds, and the part of their variance that is the writer's own. */
interface LevelDraws {
  readonly logits: Float64Array;
  ownVariance: number;
}

/**
 * The level on a drawn population, and how far another draw of the writer's novels would move it; as log-odds, so that a
 * level near an end moves away from it more than towards it.
 */
function drawnLevel(
  distribution: UncertainDistribution,
  novels: readonly PlacedNovel[],
  spots: readonly Spot[],
  random: Random,
): { readonly logit: number; readonly error: number } {
  if (novels.length === 1) return { logit: logOdds(drawnSingle(distribution, novels[0]!, random)), error: 0 };
  const shares = spots.map((spot) => distribution.shareAt(spot, random));
  const centre = mean(shares);
  const slope = Math.max(centre * (1 - centre), NEAR_END);
  return { logit: logOdds(centre), error: standardDeviation(shares) / Math.sqrt(shares.length) / slope };
}

/** A single novel says nothing of the next one: its place is as uncertain as its chapters leave it. */
function drawnSingle(distribution: UncertainDistribution, novel: PlacedNovel, random: Random): number {
  const { composite, chapterComposites } = novel;
  if (chapterComposites.length < 2) return random();
  const error = standardDeviation(chapterComposites) / Math.sqrt(chapterComposites.length);
  const moved = composite + error * studentDraw(chapterComposites.length - 1, random);
  return distribution.shareAt(distribution.spotOf(moved), random);
}

/**
 * The middle 95 % of the draws, widened as Student's t is wider than the normal: the writer's spread is itself estimated
 * from few novels. Degrees of freedom by Satterthwaite (1946), since only the writer's part of the variance is.
 */
function intervalOf({ logits, ownVariance }: LevelDraws, novels: number): [number, number] {
  const [low, middle, high] = quantiles(logits, [0.025, 0.5, 0.975]);
  const degrees = novels < 2 || ownVariance === 0 ? null : (novels - 1) * (variance(logits) / ownVariance) ** 2;
  const widened = degrees === null ? 1 : studentQuantile(Math.max(1, degrees)) / NORMAL_QUANTILE;
  const level = (end: number) => 100 / (1 + Math.exp(-(middle! + widened * (end - middle!))));
  return [level(low!), level(high!)];
}

function logOdds(share: number): number {
  return Math.log(Math.max(share, NEAR_END) / Math.max(1 - share, NEAR_END));
}

function summary(
  { writer, novels, chapters, unplaced, words }: WriterNovels,
  draws: LevelDraws,
  percentile: (composite: number) => number,
  best: number,
): WriterLevel {
  const composites = novels.map(({ composite }) => composite);
  const level = mean(composites.map(percentile));
  const [low, high] = intervalOf(draws, novels.length);
  return {
    writer,
    level,
    interval: [Math.min(low, level), Math.max(high, level)],
    composite: mean(composites),
    compositeInterval: meanInterval(composites),
    abovePopulation: composites.filter((value) => value > best).length / composites.length,
    dimensionMeans: novels[0]!.scores.map((_, dimension) => mean(novels.map(({ scores }) => scores[dimension]!))),
    novels: novels.length,
    chapters,
    unplaced,
    meanWords: words.length === 0 ? null : mean(words),
  };
}
