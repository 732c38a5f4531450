import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { benchmarkTable } from "../bench/benchmark-table.ts";

/** A column of a table that other programs read; numbers are doubles, everything else is text. */
export interface TableColumn {
  readonly name: string;
  readonly type: "STRING" | "DOUBLE";
}

export type TableRow = Readonly<Record<string, string | number | null | undefined>>;

const NUMBERS = [
  ...["level", "low", "high", "composite", "composite_low", "composite_high"],
  ...["at_ceiling", "novels", "chapters", "mean_words"],
];

/** The leaderboard for data frames: one row per writer, a column per dimension. */
export function leaderboardTable(benchmark: WriterBenchmark): { columns: TableColumn[]; rows: TableRow[] } {
  const { dimensions } = benchmark.population;
  return {
    columns: [
      { name: "rank", type: "DOUBLE" },
      { name: "writer", type: "STRING" },
      { name: "groups", type: "STRING" },
      ...[...NUMBERS, ...dimensions].map((name): TableColumn => ({ name, type: "DOUBLE" })),
    ],
    rows: benchmarkTable(benchmark).map(({ dimensions: means, judges: _own, ...row }) => ({
      rank: row.rank,
      writer: row.writer,
      groups: row.groups,
      level: row.level,
      low: row.low,
      high: row.high,
      composite: row.composite,
      composite_low: row.compositeLow,
      composite_high: row.compositeHigh,
      at_ceiling: row.atCeiling ? 1 : 0,
      novels: row.novels,
      chapters: row.chapters,
      mean_words: row.meanWords,
      ...Object.fromEntries(dimensions.map((name, at) => [name, means[at] ?? null])),
    })),
  };
}
