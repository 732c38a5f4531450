import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { escapeMarkdown } from "../markup.ts";
import { benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";
import { type ReportWords, reportWordsIn } from "./words.ts";

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

/** Every two writers: the difference of composites, its effect size and its corrected p. */
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
