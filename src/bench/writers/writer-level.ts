import { type Random, randomInteger } from "../../core/random.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { quantiles } from "../../stats/distribution/quantile.ts";
import { averageChapters, groupByNovel } from "../population/novel-scores.ts";
import { compositeOf, placer } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";

export interface WriterLevel {
  readonly writer: string;
  /** The mean percentile over the writer's novels, 0–100 (the paper's equation 4). */
  readonly level: number;
  readonly interval: readonly [number, number];
  readonly composite: number;
  readonly dimensionMeans: readonly number[];
  readonly novels: number;
  readonly chapters: number;
  /** Novels left out because some dimension had no score. */
  readonly unplaced: number;
  readonly meanWords: number | null;
  /** The level in each resample, kept so that writers can be compared draw by draw. */
  readonly resampledLevels: Float64Array;
}

const RESAMPLES = 1000;

/**
 * Where a writer stands: every novel is placed by the mean of its chapters, and the level is the mean of the places. The
 * interval resamples novels and, within each, chapters: both are a draw from what the writer could have written.
 */
export function writerLevel(
  writer: string,
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  random: Random,
  resamples = RESAMPLES,
): WriterLevel | null {
  const size = population.dimensions.length;
  const { percentile } = placer(population);
  const groups = [...groupByNovel(chapters).values()];
  const placed = groups.flatMap((group) => {
    const scores = averageChapters(group, size);
    return scores.every((score) => score !== null) ? [{ group, scores }] : [];
  });
  if (placed.length === 0) return null;
  const composites = placed.map(({ scores }) => compositeOf(scores, population));
  const resampledLevels = new Float64Array(resamples);
  for (let draw = 0; draw < resamples; draw++) {
    let total = 0;
    let count = 0;
    for (let pick = 0; pick < placed.length; pick++) {
      const { group, scores } = placed[randomInteger(random, placed.length)]!;
      const drawn = averageChapters(resampled(group, random), size).map(
        (score, dimension) => score ?? scores[dimension]!,
      );
      total += percentile(compositeOf(drawn, population));
      count++;
    }
    resampledLevels[draw] = total / count;
  }
  const [low, high] = quantiles(resampledLevels, [0.025, 0.975]);
  const words = chapters.flatMap((chapter) => (chapter.words === null ? [] : [chapter.words]));
  return {
    writer,
    level: mean(composites.map((composite) => percentile(composite))),
    interval: [low!, high!],
    composite: mean(composites),
    dimensionMeans: population.dimensions.map((_, dimension) => mean(placed.map(({ scores }) => scores[dimension]!))),
    novels: placed.length,
    chapters: chapters.length,
    unplaced: groups.length - placed.length,
    meanWords: words.length === 0 ? null : mean(words),
    resampledLevels,
  };
}

function resampled<T>(items: readonly T[], random: Random): T[] {
  return items.map(() => items[randomInteger(random, items.length)]!);
}
