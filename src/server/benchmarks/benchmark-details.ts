import type { BenchmarkDetails, BenchmarkWriter, WriterPair } from "../../api/benchmarks.ts";
import type { PanelAgreement } from "../../bench/validity.ts";
import type { LeaderboardRow } from "../../bench/writers/leaderboard.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { populationInWords, validityInWords } from "../../report/bench/benchmark-table.ts";
import { mean } from "../../stats/distribution.ts";
import type { Standings } from "../../tasks/bench/standings.ts";

/** A population and the writers placed on it, as the web app shows them. */
export function benchmarkDetails(
  { id, name, rubric }: { readonly id: string; readonly name: string; readonly rubric: Rubric | null },
  { population, benchmark, board, anchors, leftOut }: Standings,
): BenchmarkDetails {
  // Intervals are drawn at random: those of the report, which has no anchors among its writers, are shown here too.
  const reported = (writer: string) => benchmark?.board.rows.find((row) => row.writer === writer);
  const shown = shownDimensions(population, benchmark?.panel ?? null, board);
  return {
    id,
    name,
    judge: population.judge.id,
    novels: population.novels.length,
    writers: benchmark?.board.rows.length ?? 0,
    dimensions: shown.dimensions.map(({ id: dimension, weight }) => ({
      id: dimension,
      weight,
      name: rubric?.criteria.find((criterion) => criterion.id === dimension)?.name ?? dimension,
    })),
    population: population.novels.map(({ composite }) => composite).sort((left, right) => left - right),
    writerRows: [
      ...board.rows.map((row) =>
        writerRow(row, reported(row.writer), shown.meansOf(row.writer), anchors.has(row.writer)),
      ),
      ...board.unplaced.map((writer, position) => unplacedRow(writer, board.rows.length + position + 1)),
    ],
    pairs: pairsOf(benchmark),
    genres: benchmark?.genres ?? [],
    headToHead: null,
    canVote: false,
    texts: { writers: [], novels: [], humanWords: null, writtenWords: null },
    notes: [
      populationInWords({ population }),
      ...leftOut,
      ...(benchmark ? [...validityInWords(benchmark), ...benchmark.warnings] : population.warnings),
    ],
  };
}

function pairsOf(benchmark: Standings["benchmark"]): WriterPair[] {
  if (!benchmark) return [];
  const { pairs, significance } = benchmark.board.comparisons;
  return pairs.map(({ first, second, difference, adjusted }) => ({
    first,
    second,
    difference,
    adjusted,
    isApart: adjusted !== null && adjusted < significance,
  }));
}

interface ShownDimensions {
  readonly dimensions: readonly { readonly id: string; readonly weight: number | null }[];
  meansOf(writer: string): Readonly<Record<string, number | null>>;
}

/**
 * The dimensions that judges scored. A panel's population is made of its judges' composites, so where the judges share a
 * rubric its dimensions are shown as the mean over the judges; where they do not, each judge is a dimension.
 */
function shownDimensions(
  population: Standings["population"],
  panel: PanelAgreement | null,
  board: Standings["board"],
): ShownDimensions {
  const [first, ...others] = population.panel ?? [];
  const isShared = first && others.every(({ dimensions }) => dimensions.join() === first.dimensions.join());
  if (!isShared || !panel) {
    const means = new Map(board.rows.map(({ writer, dimensionMeans }) => [writer, dimensionMeans]));
    return {
      dimensions: population.dimensions.map((id, at) => ({ id, weight: population.weights[at] ?? null })),
      meansOf: (writer) =>
        Object.fromEntries(population.dimensions.map((id, at) => [id, means.get(writer)?.[at] ?? null])),
    };
  }
  return {
    dimensions: first.dimensions.map((id, at) => ({
      id,
      weight: mean([first, ...others].map(({ weights }) => weights[at]!)),
    })),
    meansOf: (writer) =>
      Object.fromEntries(
        first.dimensions.map((id, at) => {
          const known = panel.judges.flatMap(({ means }) => means.get(writer)?.[at] ?? []);
          return [id, known.length === 0 ? null : mean(known)];
        }),
      ),
  };
}

function writerRow(
  row: LeaderboardRow,
  reported: LeaderboardRow | undefined,
  dimensions: Readonly<Record<string, number | null>>,
  isAnchor: boolean,
): BenchmarkWriter {
  return {
    name: row.writer,
    rank: row.rank,
    composite: row.composite,
    texts: row.novels,
    isAnchor,
    level: scored(row.level, (reported ?? row).interval),
    group: groupNumber(row.groups),
    letters: row.groups,
    dimensions,
  };
}

function unplacedRow(name: string, rank: number): BenchmarkWriter {
  const level = unscored("none of its texts has a score in every dimension");
  return { name, rank, level, composite: null, group: 0, letters: "", dimensions: {}, texts: 0, isAnchor: false };
}

/** The first letter a writer shares with others, counted from 1. */
function groupNumber(letters: string): number {
  const [, letter = "a", round = ""] = /^([a-z])(\d*)/.exec(letters) ?? [];
  return letter.charCodeAt(0) - 96 + 26 * Number(round);
}
