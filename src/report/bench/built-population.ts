import type { NovelExclusion } from "../../bench/population/novel-scores.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { anchorCheck } from "../../bench/validity/anchor-check.ts";
import { seededRandom } from "../../core/random.ts";
import { plainLine } from "../markup.ts";

interface Built {
  readonly population: ReferencePopulation;
  readonly excluded: readonly NovelExclusion[];
  readonly unscored: number;
  readonly file: string;
}

const SEED = 1;

/** What `fabula bench build` says to programs. */
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

/** And to people. */
export function builtInWords(built: Built): string[] {
  const { population, excluded, unscored, file } = built;
  const anchors = anchorCheck(population, seededRandom(SEED));
  return [
    `${population.judge.id}: ${population.corpus.novels} novels placed, ${excluded.length} excluded, ${unscored} chapters unscored: ${file}`,
    ...population.dimensions.map(
      (dimension, index) => `  ${dimension.padEnd(32)} ${(population.weights[index]! * 100).toFixed(1).padStart(5)} %`,
    ),
    `The first component explains ${(population.explainedVariance[0]! * 100).toFixed(1)} % of the variance.`,
    ...repeatabilityInWords(population),
    ...(anchors ? [anchorsInWords(anchors), ...(anchors.warning ? [`Warning: ${anchors.warning}`] : [])] : []),
  ];
}

export function anchorsInWords(anchors: NonNullable<ReturnType<typeof anchorCheck>>): string {
  return `Anchors: ${anchors.novels} novels expected to score higher stand at percentile ${anchors.level.toFixed(1)} (${anchors.interval[0].toFixed(1)}–${anchors.interval[1].toFixed(1)}), the middle one at ${anchors.median.toFixed(1)}.`;
}

/** How steady the judge is, text by text: the paper gives interquartile range and variance of eleven scores. */
function repeatabilityInWords({ repeatability = [] }: ReferencePopulation): string[] {
  if (repeatability.length === 0) return [];
  if (repeatability.every(({ variance }) => variance === 0)) {
    return [
      `Repeat check: every one of ${repeatability[0]!.repeats} repeats at a temperature above 0 gave the same scores: the provider is deterministic or answers from a cache, and nothing is measured.`,
    ];
  }
  return [
    `Repeat check: ${repeatability.length} texts, each scored ${repeatability[0]!.repeats} times.`,
    ...repeatability.map(
      ({ text, mean, interquartileRange, variance }) =>
        `  ${plainLine(text).slice(0, 60).padEnd(60)}  mean ${mean.toFixed(2)}  IQR ${interquartileRange.toFixed(3)}  variance ${variance.toFixed(4)}`,
    ),
  ];
}
