import type { NovelExclusion } from "../../bench/population/novel-scores.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { anchorCheck } from "../../bench/validity.ts";
import { seededRandom } from "../../core/random.ts";
import { judgeInWords } from "../../core/wording.ts";
import { plainLine } from "../markup.ts";
import { type ReportWords, reportWordsIn } from "./words.ts";

interface Built {
  readonly population: ReferencePopulation;
  readonly excluded: readonly NovelExclusion[];
  readonly unscored: number;
  readonly file: string;
}

const SEED = 1;

/** The JSON summary of `fabula bench build`. */
export function builtSummary({ population, excluded, unscored, file }: Built) {
  const spreads = (population.repeatability ?? []).map(({ interquartileRange }) => interquartileRange);
  return {
    file,
    id: population.id,
    judge: population.judge,
    novels: population.corpus.novels,
    excluded,
    unscoredChapters: unscored,
    dimensions: population.dimensions,
    weights: population.weights,
    explainedVariance: population.explainedVariance,
    largestInterquartileRange: spreads.length === 0 ? null : Math.max(...spreads),
    repeatability: population.repeatability ?? [],
    anchors: anchorCheck(population, seededRandom(SEED)),
    warnings: population.warnings,
  };
}

/** The same summary in words. */
export function builtInWords(built: Built): string[] {
  const { population, excluded, unscored, file } = built;
  const words = reportWordsIn(population.language);
  const anchors = anchorCheck(population, seededRandom(SEED));
  return [
    words.built.summary(judgeInWords(population.judge.id), population.corpus.novels, excluded.length, unscored, file),
    ...population.dimensions.map(
      (dimension, index) => `  ${dimension.padEnd(32)} ${(population.weights[index]! * 100).toFixed(1).padStart(5)} %`,
    ),
    words.built.component((population.explainedVariance[0]! * 100).toFixed(1)),
    ...repeatabilityInWords(population, words),
    ...(anchors ? [anchorsInWords(anchors, words), ...(anchors.warning ? [words.warning(anchors.warning)] : [])] : []),
  ];
}

export function anchorsInWords(anchors: NonNullable<ReturnType<typeof anchorCheck>>, words: ReportWords): string {
  const interval = anchors.interval.map((end) => end.toFixed(1)).join("–");
  return words.anchorsAt(anchors.novels, anchors.level.toFixed(1), interval, anchors.median.toFixed(1));
}

/** How consistent the judge is, text by text: the paper gives interquartile range and variance of eleven scores. */
function repeatabilityInWords({ repeatability = [] }: ReferencePopulation, { built }: ReportWords): string[] {
  if (repeatability.length === 0) return [];
  if (repeatability.every(({ variance }) => variance === 0)) return [built.sameRepeats(repeatability[0]!.repeats)];
  return [
    built.repeats(repeatability.length, repeatability[0]!.repeats),
    ...repeatability.map(
      ({ text, mean, interquartileRange, variance }) =>
        `  ${plainLine(text).slice(0, 60).padEnd(60)}  ${built.repeat(mean.toFixed(2), interquartileRange.toFixed(3), variance.toFixed(4))}`,
    ),
  ];
}
