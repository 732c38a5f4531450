import { createColors } from "picocolors";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { plainLine } from "../markup.ts";
import { benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";

const BAR = 20;

export function terminalBenchmark(benchmark: WriterBenchmark, options: { readonly colours: boolean }): string {
  const paint = createColors(options.colours);
  const rows = benchmarkTable(benchmark);
  const width = Math.min(44, Math.max(6, ...rows.map((row) => row.writer.length)));
  return [
    "",
    `${"".padStart(3)}  ${"writer".padEnd(width)}  ${"".padEnd(BAR)}  level  interval      adjusted  told apart`,
    ...rows.map((row) => {
      const filled = Math.round((row.level / 100) * BAR);
      const bar = paint.cyan("█".repeat(filled)) + paint.dim("░".repeat(BAR - filled));
      const interval = `${row.low.toFixed(1)}–${row.high.toFixed(1)}`;
      const adjusted = row.adjusted === null ? "" : row.adjusted.toFixed(1);
      const writer = plainLine(row.writer).slice(0, width).padEnd(width);
      return `${String(row.rank).padStart(3)}  ${writer}  ${bar}  ${row.level.toFixed(1).padStart(5)}  ${interval.padEnd(12)}  ${adjusted.padStart(8)}  ${row.groups}`;
    }),
    "",
    populationInWords(benchmark),
    "Writers that share a letter cannot be told apart.",
    ...validityInWords(benchmark),
    ...benchmark.warnings.map((warning) => paint.yellow(`Warning: ${plainLine(warning)}`)),
    "",
  ].join("\n");
}
