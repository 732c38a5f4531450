import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { csvLine } from "../../core/csv.ts";
import { benchmarkTable } from "./benchmark-table.ts";

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

/** Rows of one kind as CSV, the names of the fields as heading. */
export function csvLines(rows: readonly Readonly<Record<string, string | number | null>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))].map((row) => `${csvLine(row)}\n`).join("");
}
