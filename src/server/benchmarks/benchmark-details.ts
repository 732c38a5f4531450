import type { BenchmarkDetails, BenchmarkWriter } from "../../api/benchmarks.ts";
import type { LeaderboardRow } from "../../bench/writers/leaderboard.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { populationInWords, validityInWords } from "../../report/bench/benchmark-table.ts";
import type { Standings } from "../../workflows/bench/standings.ts";

/** A population and the writers placed on it, as the web app shows them. */
export function benchmarkDetails(
  { id, name, rubric }: { readonly id: string; readonly name: string; readonly rubric: Rubric | null },
  { population, benchmark, board, anchors }: Standings,
): BenchmarkDetails {
  return {
    ...{ id, name, judge: population.judge.id, novels: population.novels.length },
    writers: benchmark?.board.rows.length ?? 0,
    dimensions: population.dimensions.map((dimension, position) => ({
      id: dimension,
      name: rubric?.criteria.find((criterion) => criterion.id === dimension)?.name ?? dimension,
      weight: population.weights[position] ?? null,
    })),
    population: population.novels.map(({ composite }) => composite).sort((left, right) => left - right),
    writerRows: [
      ...board.rows.map((row) => writerRow(row, population.dimensions, anchors.has(row.writer))),
      ...board.unplaced.map((writer, position) => unplacedRow(writer, board.rows.length + position + 1)),
    ],
    notes: [
      populationInWords({ population }),
      ...(benchmark ? [...validityInWords(benchmark), ...benchmark.warnings] : population.warnings),
    ],
  };
}

function writerRow(row: LeaderboardRow, dimensions: readonly string[], isAnchor: boolean): BenchmarkWriter {
  return {
    ...{ name: row.writer, rank: row.rank, composite: row.composite, texts: row.novels, isAnchor },
    level: scored(row.level, row.interval),
    group: groupNumber(row.groups),
    dimensions: Object.fromEntries(dimensions.map((id, position) => [id, row.dimensionMeans[position] ?? null])),
  };
}

function unplacedRow(name: string, rank: number): BenchmarkWriter {
  const level = unscored("none of its texts has a score in every dimension");
  return { name, rank, level, composite: null, group: 0, dimensions: {}, texts: 0, isAnchor: false };
}

/** The first letter a writer shares with others, counted from 1. */
function groupNumber(letters: string): number {
  const [, letter = "a", round = ""] = /^([a-z])(\d*)/.exec(letters) ?? [];
  return letter.charCodeAt(0) - 96 + 26 * Number(round);
}
