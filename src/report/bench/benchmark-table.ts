import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { isAtCeiling, powerInWords } from "../../bench/validity.ts";
import { judgeInWords, signedNumber } from "../../core/wording.ts";
import { mean } from "../../stats/distribution.ts";
import { anchorsInWords } from "./built-population.ts";
import { type ReportWords, reportWordsIn } from "./words.ts";

export interface BenchmarkRow {
  /** Each judge's own level, where a panel judged. */
  readonly judges?: Readonly<Record<string, number | null>>;
  readonly rank: number;
  readonly writer: string;
  readonly level: number;
  readonly low: number;
  readonly high: number;
  readonly groups: string;
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

/** What `fabula bench report` says to programs. */
export function leaderboardDocument(benchmark: WriterBenchmark): object {
  const { population, board, panel, power, genres, length, ceiling, crossJudge, anchors } = benchmark;
  return {
    population: { id: population.id, judge: population.judge, novels: population.corpus.novels },
    writers: benchmarkTable(benchmark),
    comparisons: board.comparisons,
    ...{ power, genres, length, ceiling, crossJudge },
    panel: panel && {
      judges: panel.judges.map(({ judge, board: own, dimensions, means }) => ({
        judge,
        dimensions,
        means: Object.fromEntries(means),
        writers: own.rows.map(({ writer, rank, level, interval }) => ({ writer, rank, level, interval })),
        unplaced: own.unplaced,
      })),
      pairs: panel.pairs,
    },
    anchors,
    repeatability: population.repeatability ?? [],
    selfPreference: benchmark.selfPreference,
    unplaced: board.unplaced,
    warnings: benchmark.warnings,
  };
}

/** The leaderboard as rows of plain numbers: what every kind of report lays out. */
export function benchmarkTable({ board, panel }: WriterBenchmark): BenchmarkRow[] {
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
  const { judge, corpus, description, explainedVariance, dimensions, panel, language } = population;
  const words = reportWordsIn(language);
  return words.population({
    novels: corpus.novels,
    description,
    // The embedded grader is named with who it speaks for: its populations carry its earlier name.
    judge: judge.id === "grader" ? words.grader : judgeInWords(judge.id),
    component: panel
      ? null
      : { percent: String(Math.round((explainedVariance[0] ?? 0) * 100)), dimensions: dimensions.length },
  });
}

/** The checks as sentences. */
export function validityInWords(benchmark: WriterBenchmark): string[] {
  const { length, ceiling, crossJudge, board, anchors, panel, population, power } = benchmark;
  const words = reportWordsIn(population.language);
  const correlation = ({ value }: { value: number | null }) => value?.toFixed(2) ?? words.undefinedValue;
  const { withinNoiseOfTop } = ceiling;
  const nearTop = withinNoiseOfTop === null ? null : String(Math.round(withinNoiseOfTop * 100));
  return [
    board.comparisons.method,
    ...(power ? [powerInWords(power, population.language)] : []),
    lengthInWords(length, words),
    words.ceiling(ceiling.atCeiling.length, board.rows.length, nearTop),
    ...(crossJudge
      ? [words.secondJudge(correlation(crossJudge.spearman), correlation(crossJudge.kendall), crossJudge.writers)]
      : []),
    ...(panel?.pairs ?? []).map(({ first, second, agreement: { spearman, kendall, writers } }) =>
      words.panelPair(first, second, correlation(spearman), correlation(kendall), writers),
    ),
    ...(anchors ? [anchorsInWords(anchors, words)] : []),
    ...steadinessInWords(population, words),
    ...preferencesInWords(benchmark, words),
  ];
}

function lengthInWords({ perDoubling, perDoublingInterval }: WriterBenchmark["length"], words: ReportWords): string {
  if (perDoubling === null || !perDoublingInterval) return words.sameLength;
  return words.length(signedNumber(perDoubling, 2), signedInterval(perDoublingInterval));
}

/** An interval of differences of composites. */
export function signedInterval([low, high]: readonly [number, number]): string {
  return `${signedNumber(low, 2)} … ${signedNumber(high, 2)}`;
}

function preferencesInWords({ panel, population, selfPreference }: WriterBenchmark, words: ReportWords): string[] {
  const all = panel?.judges ?? [{ judge: population.judge.id, selfPreference }];
  return all.flatMap(({ judge, selfPreference: own }) =>
    own?.advantage == null || !own.interval
      ? []
      : [words.selfPreference(judge, own.family, signedNumber(own.advantage, 2), signedInterval(own.interval))],
  );
}

function steadinessInWords({ repeatability = [], judge }: WriterBenchmark["population"], words: ReportWords): string[] {
  if (repeatability.length === 0) return [];
  const [first] = repeatability;
  const widest = Math.max(...repeatability.map(({ interquartileRange }) => interquartileRange));
  const variance = mean(repeatability.map((row) => row.variance));
  if (widest === 0 && variance === 0) return [words.steady(judgeInWords(judge.id), first!.repeats)];
  return [
    words.steadiness(
      judgeInWords(judge.id),
      repeatability.length,
      first!.repeats,
      widest.toFixed(3),
      variance.toFixed(4),
    ),
  ];
}
