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
    `| rank | writer | level | interval | told apart | composite | length-adjusted | ${[...judges.map((judge) => `level by ${judge}`), ...dimensions].map(escapeMarkdown).join(" | ")} |`,
    `| --- | --- | --- | --- | --- | --- | --- | ${[...judges, ...dimensions].map(() => "---").join(" | ")} |`,
    ...benchmarkTable(benchmark).map(
      (row) =>
        `| ${row.rank} | ${escapeMarkdown(row.writer)} | ${row.level.toFixed(1)} | ${row.low.toFixed(1)}–${row.high.toFixed(1)} | ${row.groups} | ${row.composite.toFixed(2)}${row.atCeiling ? " ↑" : ""} | ${row.adjusted === null ? "" : row.adjusted.toFixed(1)} | ${[...judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? ""), ...row.dimensions.map((score) => score.toFixed(2))].join(" | ")} |`,
    ),
    ...(anchors
      ? [
          `| – | ${ANCHORS} | ${anchors.level.toFixed(1)} | ${anchors.interval[0].toFixed(1)}–${anchors.interval[1].toFixed(1)} | | | |${" |".repeat(judges.length + dimensions.length)}`,
        ]
      : []),
    "",
    "Writers that share a letter cannot be told apart. ↑ above the population: read the composite, not the percentile.",
    "",
    ...matrixMarkdown(benchmark),
    "",
    ...validityInWords(benchmark).map((line) => `- ${escapeMarkdown(line)}`),
    ...benchmark.warnings.map((warning) => `- Warning: ${escapeMarkdown(warning)}`),
    "",
  ].join("\n");
}

/** Every two writers: the difference of composites, its effect size and its corrected p. */
function matrixMarkdown({ board: { comparisons } }: WriterBenchmark): string[] {
  if (comparisons.pairs.length === 0) return [];
  return [
    "| first | second | difference | interval | effect | p | corrected p |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...comparisons.pairs.map(
      ({ first, second, difference, interval, effect, p, adjusted }) =>
        `| ${escapeMarkdown(first)} | ${escapeMarkdown(second)} | ${difference.toFixed(2)} | ${interval ? `${interval[0].toFixed(2)}–${interval[1].toFixed(2)}` : ""} | ${effect?.toFixed(2) ?? ""} | ${p?.toFixed(4) ?? ""} | ${adjusted?.toFixed(4) ?? ""} |`,
    ),
    "",
  ];
}
