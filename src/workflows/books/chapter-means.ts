import { type Random, randomInteger } from "../../core/random.ts";
import { quantiles } from "../../stats/distribution/quantile.ts";

/** A chapter as far as a mean over chapters is concerned. */
export interface ScoredChapter {
  readonly score: number;
  readonly words: number;
}

const RESAMPLES = 1000;

/** A book's score: the mean of its chapters by their words. */
export function meanByWords(chapters: readonly ScoredChapter[]): number {
  let sum = 0;
  let words = 0;
  for (const chapter of chapters) {
    sum += chapter.score * chapter.words;
    words += chapter.words;
  }
  return sum / words;
}

/** What the mean would be with other chapters of the same book: a bootstrap over chapters. */
export function resampledMeans(chapters: readonly ScoredChapter[], random: Random): Float64Array {
  return Float64Array.from({ length: RESAMPLES }, () =>
    meanByWords(chapters.map(() => chapters[randomInteger(random, chapters.length)]!)),
  );
}

/** The middle 95 % of resampled values. */
export function middleRange(values: Float64Array): readonly [number, number] {
  const [low, high] = quantiles(values, [0.025, 0.975]);
  return [low!, high!];
}
