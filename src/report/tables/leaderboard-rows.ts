import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { benchmarkTable } from "../bench/benchmark-table.ts";
import type { TableColumn, TableRow } from "./table-column.ts";

const NUMBERS = ["level", "low", "high", "adjusted", "composite", "novels", "chapters", "mean_words"] as const;

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
    rows: benchmarkTable(benchmark).map(
      ({ meanWords, dimensions: means, judges: _own, atCeiling: _ceiling, ...row }) => ({
        ...row,
        mean_words: meanWords,
        ...Object.fromEntries(dimensions.map((name, at) => [name, means[at] ?? null])),
      }),
    ),
  };
}
