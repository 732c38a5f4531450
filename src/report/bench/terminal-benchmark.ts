import { createColors } from "picocolors";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { plainLine } from "../markup.ts";
import { inColumns, terminalWidth } from "../terminal-width.ts";
import { benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";
import { reportWordsIn } from "./words/report-words-in.ts";

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
    `${"".padStart(3)}  ${inColumns(columns.writer, width)}  ${"".padEnd(BAR)}  ${inColumns(columns.level, 5)}  ${inColumns(columns.interval, 12)}  ${inColumns(columns.adjusted, 8)}  ${inColumns(columns.composite, 9)}  ${columns.groups}`,
    ...rows.map((row) => {
      const adjusted = row.adjusted === null ? "" : row.adjusted.toFixed(1);
      const byJudge = judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? "–").join(" / ");
      const rest = `${adjusted.padStart(8)}  ${row.composite.toFixed(2).padStart(8)}${row.atCeiling ? "↑" : " "}  ${row.groups}${byJudge === "" ? "" : paint.dim(`  (${byJudge})`)}`;
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
