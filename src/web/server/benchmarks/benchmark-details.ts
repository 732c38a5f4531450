import type { WriterBenchmark } from "../../../bench/benchmark-writers.ts";
import type { LeaderboardRow } from "../../../bench/writers/leaderboard.ts";
import { scored, unscored } from "../../../core/verdict.ts";
import type { Rubric } from "../../../criteria/rubric.ts";
import { populationInWords, validityInWords } from "../../../report/bench/benchmark-table.ts";
import type { Standings } from "../../../workflows/bench-standings.ts";
import type { BenchmarkDetails, BenchmarkWriter } from "../../api.ts";

interface Parts {
  readonly id: string;
  readonly name: string;
  readonly standings: Standings;
  /** The population's own writers, ranked. */
  readonly human: WriterBenchmark;
  readonly rubric: Rubric | null;
}

/** Writers of one novel say little about a level; the page shows the best known of the others. */
const ANCHORS = 40;

export function benchmarkDetails({ id, name, standings, human, rubric }: Parts): BenchmarkDetails {
  const { population, benchmark } = standings;
  const placed = benchmark?.board.rows ?? [];
  const anchors = [...human.board.rows].sort((left, right) => right.novels - left.novels).slice(0, ANCHORS);
  const rows = [
    ...placed.map((row) => writerRow(row, population.dimensions, false)),
    ...anchors.map((row) => writerRow(row, population.dimensions, true)),
    ...(benchmark?.board.unplaced ?? []).map(unplacedRow),
  ];
  return {
    ...{ id, name, judge: population.judge.id, novels: population.novels.length, writers: placed.length },
    dimensions: population.dimensions.map((dimension, position) => ({
      id: dimension,
      name: rubric?.criteria.find((criterion) => criterion.id === dimension)?.name ?? dimension,
      weight: population.weights[position] ?? null,
    })),
    population: population.novels.map(({ composite }) => composite).sort((left, right) => left - right),
    writerRows: ranked(rows),
    notes: [
      populationInWords(benchmark ?? human),
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

function unplacedRow(name: string): BenchmarkWriter {
  const level = unscored("none of its texts has a score in every dimension");
  return { name, rank: 0, level, composite: null, group: 0, dimensions: {}, texts: 0, isAnchor: false };
}

/** Machines and people in one list, best first; who could not be placed comes last. */
function ranked(rows: readonly BenchmarkWriter[]): BenchmarkWriter[] {
  const height = ({ level, composite }: BenchmarkWriter) =>
    level.kind === "scored" ? [level.score, composite ?? 0] : [Number.NEGATIVE_INFINITY, 0];
  return [...rows]
    .sort((left, right) => {
      const [first, second] = [height(left), height(right)];
      return second[0]! - first[0]! || second[1]! - first[1]! || left.name.localeCompare(right.name);
    })
    .map((row, position) => ({ ...row, rank: position + 1 }));
}

/** The first letter a writer shares with others, counted from 1. */
function groupNumber(letters: string): number {
  const [, letter = "a", round = "0"] = /^([a-z])(\d*)/.exec(letters) ?? [];
  return letter.charCodeAt(0) - 96 + 26 * Number(round || 0);
}
