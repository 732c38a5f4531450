import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { escapeMarkdown } from "../markup.ts";
import { ANCHORS, benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";

export function markdownBenchmark(benchmark: WriterBenchmark): string {
  const { dimensions } = benchmark.population;
  const { anchors, panel } = benchmark;
  const judges = panel?.judges.map(({ judge }) => judge) ?? [];
  return [
    "# Writers among human novels",
    "",
    escapeMarkdown(populationInWords(benchmark)),
    "",
    `| rank | writer | level | interval | told apart | length-adjusted | ${[...judges.map((judge) => `level by ${judge}`), ...dimensions].map(escapeMarkdown).join(" | ")} |`,
    `| --- | --- | --- | --- | --- | --- | ${[...judges, ...dimensions].map(() => "---").join(" | ")} |`,
    ...benchmarkTable(benchmark).map(
      (row) =>
        `| ${row.rank} | ${escapeMarkdown(row.writer)} | ${row.level.toFixed(1)} | ${row.low.toFixed(1)}–${row.high.toFixed(1)} | ${row.groups} | ${row.adjusted === null ? "" : row.adjusted.toFixed(1)} | ${[...judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? ""), ...row.dimensions.map((score) => score.toFixed(2))].join(" | ")} |`,
    ),
    ...(anchors
      ? [
          `| – | ${ANCHORS} | ${anchors.level.toFixed(1)} | ${anchors.interval[0].toFixed(1)}–${anchors.interval[1].toFixed(1)} | | |${" |".repeat(judges.length + dimensions.length)}`,
        ]
      : []),
    "",
    "Writers that share a letter cannot be told apart.",
    "",
    ...validityInWords(benchmark).map((line) => `- ${escapeMarkdown(line)}`),
    ...benchmark.warnings.map((warning) => `- Warning: ${escapeMarkdown(warning)}`),
    "",
  ].join("\n");
}
