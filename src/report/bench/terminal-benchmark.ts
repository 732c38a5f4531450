import { createColors } from "picocolors";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { plainLine } from "../markup.ts";
import { ANCHORS, benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";

const BAR = 20;

export function terminalBenchmark(benchmark: WriterBenchmark, options: { readonly colours: boolean }): string {
  const paint = createColors(options.colours);
  const rows = benchmarkTable(benchmark);
  const width = Math.min(44, Math.max(ANCHORS.length, ...rows.map((row) => row.writer.length)));
  const judges = Object.keys(rows[0]?.judges ?? {});
  const drawn = (level: number) => {
    const filled = Math.round((level / 100) * BAR);
    return paint.cyan("█".repeat(filled)) + paint.dim("░".repeat(BAR - filled));
  };
  const line = (rank: string, name: string, level: number, interval: readonly [number, number], rest: string) =>
    `${rank.padStart(3)}  ${plainLine(name).slice(0, width).padEnd(width)}  ${drawn(level)}  ${level.toFixed(1).padStart(5)}  ${`${interval[0].toFixed(1)}–${interval[1].toFixed(1)}`.padEnd(12)}  ${rest}`;
  const { anchors } = benchmark;
  return [
    "",
    `${"".padStart(3)}  ${"writer".padEnd(width)}  ${"".padEnd(BAR)}  level  interval      adjusted  composite  told apart`,
    ...rows.map((row) => {
      const adjusted = row.adjusted === null ? "" : row.adjusted.toFixed(1);
      const byJudge = judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? "–").join(" / ");
      const rest = `${adjusted.padStart(8)}  ${row.composite.toFixed(2).padStart(8)}${row.atCeiling ? "↑" : " "}  ${row.groups}${byJudge === "" ? "" : paint.dim(`  (${byJudge})`)}`;
      return line(String(row.rank), row.writer, row.level, [row.low, row.high], rest);
    }),
    ...(anchors ? [line("–", ANCHORS, anchors.level, anchors.interval, "")] : []),
    ...(judges.length > 0
      ? [`In brackets the level by each judge of the panel: ${judges.map(plainLine).join(" / ")}.`]
      : []),
    "",
    populationInWords(benchmark),
    "Writers that share a letter cannot be told apart.",
    ...(rows.some(({ atCeiling }) => atCeiling)
      ? ["↑ above the population: the percentile no longer separates, read the composite."]
      : []),
    ...validityInWords(benchmark),
    ...benchmark.warnings.map((warning) => paint.yellow(`Warning: ${plainLine(warning)}`)),
    "",
  ].join("\n");
}
