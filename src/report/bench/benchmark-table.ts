import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { isAtCeiling } from "../../bench/validity/ceiling-check.ts";
import { powerInWords } from "../../bench/validity/power-advice.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { anchorsInWords } from "./built-population.ts";

export interface BenchmarkRow {
  /** Each judge's own level, where a panel judged. */
  readonly judges?: Readonly<Record<string, number | null>>;
  readonly rank: number;
  readonly writer: string;
  readonly level: number;
  readonly low: number;
  readonly high: number;
  readonly groups: string;
  /** The level with the effect of length taken out; null where lengths are unknown. */
  readonly adjusted: number | null;
  readonly composite: number;
  readonly compositeLow: number | null;
  readonly compositeHigh: number | null;
  /** The percentile no longer separates: the composite must be read. */
  readonly atCeiling: boolean;
  readonly novels: number;
  readonly chapters: number;
  readonly meanWords: number | null;
  readonly dimensions: readonly number[];
}

/** How the upper anchors are named beside the writers. */
export const ANCHORS = "classics (anchors)";

/** The leaderboard as rows of plain numbers: what every kind of report lays out. */
export function benchmarkTable({ board, length, panel }: WriterBenchmark): BenchmarkRow[] {
  const levelBy = (judge: WriterBenchmark["board"], writer: string) =>
    judge.rows.find((row) => row.writer === writer)?.level ?? null;
  return board.rows.map((row) => ({
    ...(panel && {
      judges: Object.fromEntries(panel.judges.map((judge) => [judge.judge, levelBy(judge.board, row.writer)])),
    }),
    rank: row.rank,
    writer: row.writer,
    level: row.level,
    low: row.interval[0],
    high: row.interval[1],
    groups: row.groups,
    adjusted: length.adjustedLevels.get(row.writer) ?? null,
    composite: row.composite,
    compositeLow: row.compositeInterval?.[0] ?? null,
    compositeHigh: row.compositeInterval?.[1] ?? null,
    atCeiling: isAtCeiling(row),
    novels: row.novels,
    chapters: row.chapters,
    meanWords: row.meanWords,
    dimensions: row.dimensionMeans,
  }));
}

/** One line that says what the levels are percentiles of. */
export function populationInWords({ population }: Pick<WriterBenchmark, "population">): string {
  const { judge, corpus, description, explainedVariance } = population;
  return `Levels are mean percentiles among ${corpus.novels} novels (${description}), judged by ${judgeInWords(judge.id)}; ${
    population.panel
      ? "every judge counts the same"
      : `the first component explains ${Math.round((explainedVariance[0] ?? 0) * 100)} % of the variance of ${population.dimensions.length} dimensions`
  }. Their intervals hold the uncertainty of the population and of the writer.`;
}

/** The embedded grader is named with who it speaks for: its populations carry its earlier name. */
function judgeInWords(judge: string): string {
  return judge === "pocket"
    ? "the embedded grader, which speaks for a language-model grader and reads no story"
    : judge;
}

/** The checks as sentences. */
export function validityInWords(benchmark: WriterBenchmark): string[] {
  const { length, ceiling, crossJudge, selfPreference, board, anchors, panel, population, power } = benchmark;
  const correlation = (statistic: { value: number | null }) =>
    statistic.value === null ? "undefined" : statistic.value.toFixed(2);
  return [
    board.comparisons.method,
    ...(power ? [powerInWords(power)] : []),
    `Length: Spearman of score and length is ${correlation(length.acrossTexts)} across texts and ${correlation(length.acrossWriters)} across writers${length.perDoubling === null ? "" : `; twice the length moves the composite by ${length.perDoubling.toFixed(2)} within a writer`}.`,
    `Ceiling: ${ceiling.atCeiling.length} of ${board.rows.length} writers reach the top of the population; ${Math.round(ceiling.withinNoiseOfTop * 100)} % cannot be told from the best.`,
    ...(crossJudge
      ? [
          `Second judge: Spearman ${correlation(crossJudge.spearman)}, Kendall τ ${correlation(crossJudge.kendall)} over ${crossJudge.writers} writers.`,
        ]
      : []),
    ...(panel?.pairs ?? []).map(
      ({ first, second, agreement }) =>
        `Panel: ${first} and ${second} agree by Spearman ${correlation(agreement.spearman)}, Kendall τ ${correlation(agreement.kendall)} over ${agreement.writers} writers.`,
    ),
    ...(anchors ? [anchorsInWords(anchors)] : []),
    ...steadinessInWords(population),
    ...(selfPreference?.advantage != null
      ? [
          `Self-preference: ${selfPreference.family} writers gain ${selfPreference.advantage.toFixed(1)} percentile points from a judge of their own family, against a second judge.`,
        ]
      : []),
  ];
}

function steadinessInWords({ repeatability = [], judge }: WriterBenchmark["population"]): string[] {
  if (repeatability.length === 0) return [];
  const widest = Math.max(...repeatability.map(({ interquartileRange }) => interquartileRange));
  const variance = mean(repeatability.map((row) => row.variance));
  if (widest === 0 && variance === 0) {
    return [
      `Steadiness: ${judge.id} gave the same scores in every one of ${repeatability[0]!.repeats} repeats although it was asked at a temperature above 0: its provider is deterministic or answers from a cache, and nothing is measured.`,
    ];
  }
  return [
    `Steadiness: ${repeatability.length} texts scored ${repeatability[0]!.repeats} times each by ${judge.id} have an interquartile range of at most ${widest.toFixed(3)} and a mean variance of ${variance.toFixed(4)}.`,
  ];
}
