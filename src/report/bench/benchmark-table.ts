import { createColors } from "picocolors";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { isAtCeiling, powerInWords } from "../../bench/validity.ts";
import { csvLine } from "../../core/csv.ts";
import { judgeInWords, judgesInWords, signedNumber } from "../../core/wording.ts";
import { mean } from "../../stats/distribution.ts";
import { escapeMarkdown, plainLine } from "../markup.ts";
import { anchorsInWords } from "./built-population.ts";
import { type ReportWords, reportWordsIn } from "./words.ts";

export interface BenchmarkRow {
  /** Each judge's own level, if a panel judged. */
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
  /** Whether the percentile no longer separates writers, so that the composite must be read. */
  readonly atCeiling: boolean;
  readonly novels: number;
  readonly chapters: number;
  readonly meanWords: number | null;
  readonly dimensions: readonly number[];
}

/** The JSON document of `fabula bench report`. */
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

/** One line that says which population the percentiles refer to. */
export function populationInWords({ population }: Pick<WriterBenchmark, "population">): string {
  const { judge, corpus, description, explainedVariance, dimensions, panel, language } = population;
  const words = reportWordsIn(language);
  return words.population({
    novels: corpus.novels,
    description,
    // The embedded grader is named together with whom it imitates; its population files contain only a short name.
    judge:
      judge.id === "grader"
        ? words.grader
        : panel
          ? words.panel(judgesInWords(panel.map((member) => member.judge.id)))
          : judgeInWords(judge.id),
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

/** An interval of differences of composites, with signs. */
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

export function csvBenchmark(benchmark: WriterBenchmark): string {
  const judges = benchmark.panel?.judges.map(({ judge }) => judge) ?? [];
  const head = [
    "rank",
    "writer",
    "level",
    "low",
    "high",
    "groups",
    "composite",
    "composite_low",
    "composite_high",
    "at_ceiling",
    "novels",
    "chapters",
    "mean_words",
  ];
  const rows = benchmarkTable(benchmark).map((row) => [
    row.rank,
    row.writer,
    row.level,
    row.low,
    row.high,
    row.groups,
    row.composite,
    row.compositeLow ?? "",
    row.compositeHigh ?? "",
    row.atCeiling ? "yes" : "no",
    row.novels,
    row.chapters,
    row.meanWords ?? "",
    ...row.dimensions,
    ...judges.map((judge) => row.judges?.[judge] ?? ""),
  ]);
  return [[...head, ...benchmark.population.dimensions, ...judges.map((judge) => `level by ${judge}`)], ...rows]
    .map((row) => `${csvLine(row)}\n`)
    .join("");
}

/** Rows of one kind as CSV, with the field names as heading. */
export function csvLines(rows: readonly Readonly<Record<string, string | number | null>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))].map((row) => `${csvLine(row)}\n`).join("");
}

export function markdownBenchmark(benchmark: WriterBenchmark, names: ReadonlyMap<string, string> = new Map()): string {
  const dimensions = benchmark.population.dimensions.map((dimension) => names.get(dimension) ?? dimension);
  const { anchors, panel } = benchmark;
  const words = reportWordsIn(benchmark.population.language);
  const { rank, writer, level, interval, groups, composite, levelBy } = words.columns;
  const judges = panel?.judges.map(({ judge }) => judge) ?? [];
  return [
    `# ${words.title}`,
    "",
    escapeMarkdown(populationInWords(benchmark)),
    "",
    `| ${[rank, writer, level, interval, groups, composite, ...judges.map(levelBy), ...dimensions].map(escapeMarkdown).join(" | ")} |`,
    `| --- | --- | --- | --- | --- | --- | ${[...judges, ...dimensions].map(() => "---").join(" | ")} |`,
    ...benchmarkTable(benchmark).map(
      (row) =>
        `| ${row.rank} | ${escapeMarkdown(row.writer)} | ${row.level.toFixed(1)} | ${row.low.toFixed(1)}–${row.high.toFixed(1)} | ${row.groups} | ${row.composite.toFixed(2)}${row.atCeiling ? " ↑" : ""} | ${[...judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? ""), ...row.dimensions.map((score) => score.toFixed(2))].join(" | ")} |`,
    ),
    ...(anchors
      ? [
          `| – | ${words.anchors} | ${anchors.level.toFixed(1)} | ${anchors.interval[0].toFixed(1)}–${anchors.interval[1].toFixed(1)} | | |${" |".repeat(judges.length + dimensions.length)}`,
        ]
      : []),
    "",
    `${words.sharedLetter} ${words.above}`,
    "",
    ...matrixMarkdown(benchmark, words),
    "",
    ...validityInWords(benchmark).map((line) => `- ${escapeMarkdown(line)}`),
    ...benchmark.warnings.map((warning) => `- ${escapeMarkdown(words.warning(warning))}`),
    "",
  ].join("\n");
}

/** For every two writers, the difference of composites, its effect size and its corrected p. */
function matrixMarkdown({ board: { comparisons } }: WriterBenchmark, { pairColumns }: ReportWords): string[] {
  if (comparisons.pairs.length === 0) return [];
  return [
    `| ${pairColumns.join(" | ")} |`,
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...comparisons.pairs.map(
      ({ first, second, difference, interval, effect, p, adjusted }) =>
        `| ${escapeMarkdown(first)} | ${escapeMarkdown(second)} | ${difference.toFixed(2)} | ${interval ? `${interval[0].toFixed(2)}–${interval[1].toFixed(2)}` : ""} | ${effect?.toFixed(2) ?? ""} | ${p?.toFixed(4) ?? ""} | ${adjusted?.toFixed(4) ?? ""} |`,
    ),
    "",
  ];
}

/** Characters that take two terminal columns: Chinese, Japanese and Korean, and full-width forms. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function widthOf(character: string): number {
  return WIDE.test(character) || character.codePointAt(0)! > 0x1ffff ? 2 : 1;
}

/** How many columns of a terminal a line takes. */
function terminalWidth(line: string): number {
  let width = 0;
  for (const character of line) width += widthOf(character);
  return width;
}

/** Cuts the line, or pads it with spaces, to exactly this many columns. */
function inColumns(line: string, columns: number): string {
  let text = "";
  let width = 0;
  for (const character of line) {
    if (width + widthOf(character) > columns) break;
    text += character;
    width += widthOf(character);
  }
  return text + " ".repeat(columns - width);
}

const BAR = 20;

export function terminalBenchmark(benchmark: WriterBenchmark, options: { readonly colours: boolean }): string {
  const paint = createColors(options.colours);
  const rows = benchmarkTable(benchmark);
  const words = reportWordsIn(benchmark.population.language);
  const { columns } = words;
  const width = Math.min(44, Math.max(terminalWidth(words.anchors), ...rows.map((row) => terminalWidth(row.writer))));
  const judges = Object.keys(rows[0]?.judges ?? {});
  const drawn = (level: number) => {
    const filled = Math.round((level / 100) * BAR);
    return paint.cyan("█".repeat(filled)) + paint.dim("░".repeat(BAR - filled));
  };
  const line = (rank: string, name: string, level: number, interval: readonly [number, number], rest: string) =>
    `${rank.padStart(3)}  ${inColumns(plainLine(name), width)}  ${drawn(level)}  ${level.toFixed(1).padStart(5)}  ${`${interval[0].toFixed(1)}–${interval[1].toFixed(1)}`.padEnd(12)}  ${rest}`;
  const { anchors } = benchmark;
  return [
    "",
    `${"".padStart(3)}  ${inColumns(columns.writer, width)}  ${"".padEnd(BAR)}  ${inColumns(columns.level, 5)}  ${inColumns(columns.interval, 12)}  ${inColumns(columns.composite, 9)}  ${columns.groups}`,
    ...rows.map((row) => {
      const byJudge = judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? "–").join(" / ");
      const rest = `${row.composite.toFixed(2).padStart(8)}${row.atCeiling ? "↑" : " "}  ${row.groups}${byJudge === "" ? "" : paint.dim(`  (${byJudge})`)}`;
      return line(String(row.rank), row.writer, row.level, [row.low, row.high], rest);
    }),
    ...(anchors ? [line("–", words.anchors, anchors.level, anchors.interval, "")] : []),
    ...(judges.length > 0 ? [words.inBrackets(judges.map(plainLine).join(" / "))] : []),
    "",
    populationInWords(benchmark),
    words.sharedLetter,
    ...(rows.some(({ atCeiling }) => atCeiling) ? [words.above] : []),
    ...validityInWords(benchmark),
    ...benchmark.warnings.map((warning) => paint.yellow(words.warning(plainLine(warning)))),
    "",
  ].join("\n");
}
