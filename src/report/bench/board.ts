import type {
  BenchmarkWriter,
  Board,
  BoardFile,
  DimensionScores,
  FigureSection,
  FigureTable,
  WriterPair,
} from "../../api/benchmarks.ts";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { isAtCeiling, type PanelAgreement } from "../../bench/validity.ts";
import type { Leaderboard, LeaderboardRow } from "../../bench/writers/leaderboard.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { judgesInWords } from "../../core/wording.ts";
import { mean } from "../../stats/distribution.ts";
import { populationInWords, validityInWords } from "./benchmark-table.ts";
import { builtSitePages } from "./site/built-pages.ts";
import { reportWordsIn } from "./words.ts";

/** Names of dimensions in the language of a rubric, by their ids. */
type Names = ReadonlyMap<string, string>;

interface BoardSource {
  readonly population: ReferencePopulation;
  readonly benchmark: WriterBenchmark | null;
  /** The same writers, together with anchors. */
  readonly board: Leaderboard;
  readonly anchors?: ReadonlySet<string>;
  readonly leftOut?: readonly string[];
}

/** The board of a report, with its writers only. */
export function ownBoard(benchmark: WriterBenchmark): BoardSource {
  return { population: benchmark.population, benchmark, board: benchmark.board };
}

/** A population and the writers placed on it, in the form that the web app's components take. */
export function boardOf(source: BoardSource, names: Names): Board {
  const { population, benchmark, board, anchors, leftOut = [] } = source;
  // Intervals are simulated, so those of the report, which has no anchors among its writers, are shown here too.
  const reported = (writer: string) => benchmark?.board.rows.find((row) => row.writer === writer);
  const shown = shownDimensions(population, benchmark?.panel ?? null, board);
  return {
    dimensions: shown.dimensions.map((dimension) => ({ ...dimension, name: names.get(dimension.id) ?? dimension.id })),
    population: population.novels.map(({ composite }) => composite).sort((left, right) => left - right),
    writerRows: [
      ...board.rows.map((row) =>
        writerRow(row, reported(row.writer) ?? row, shown.meansOf(row.writer), anchors?.has(row.writer) ?? false),
      ),
      ...board.unplaced.map((writer, position) => unplacedRow(writer, board.rows.length + position + 1)),
    ],
    pairs: pairsOf(benchmark),
    genres: benchmark?.genres ?? [],
    headToHead: null,
    texts: { writers: [], novels: [], humanWords: null, writtenWords: null },
    notes: [
      populationInWords({ population }),
      ...leftOut,
      ...(benchmark ? [...validityInWords(benchmark), ...benchmark.warnings] : population.warnings),
    ],
  };
}

function pairsOf(benchmark: WriterBenchmark | null): WriterPair[] {
  if (!benchmark) return [];
  const { pairs, significance } = benchmark.board.comparisons;
  return pairs.map(({ first, second, difference, effect, p, adjusted, design, shared }) => ({
    ...{ first, second, difference, effect, p, adjusted },
    shared: design === "paired" ? shared : null,
    isApart: adjusted !== null && adjusted < significance,
  }));
}

interface ShownDimensions {
  readonly dimensions: readonly { readonly id: string; readonly weight: number | null }[];
  meansOf(writer: string): Readonly<Record<string, number | null>>;
}

/**
 * The dimensions that judges scored. A panel's population consists of its judges' composites: if the judges share a
 * rubric, its dimensions are shown as the mean over the judges; otherwise each judge is a dimension.
 */
function shownDimensions(
  population: ReferencePopulation,
  panel: PanelAgreement | null,
  board: Leaderboard,
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
  reported: LeaderboardRow,
  dimensions: Readonly<Record<string, number | null>>,
  isAnchor: boolean,
): BenchmarkWriter {
  return {
    name: row.writer,
    rank: row.rank,
    composite: row.composite,
    compositeInterval: reported.compositeInterval,
    texts: row.novels,
    meanWords: row.meanWords,
    isAnchor,
    level: scored(row.level, reported.interval),
    isAtCeiling: isAtCeiling(row),
    letters: row.groups,
    dimensions,
  };
}

const NOWHERE = {
  ...{ composite: null, compositeInterval: null, isAtCeiling: false },
  ...{ letters: "", dimensions: {}, meanWords: null, isAnchor: false },
};

function unplacedRow(name: string, rank: number): BenchmarkWriter {
  const level = unscored("none of its texts has a score in every dimension");
  return { ...NOWHERE, name, rank, level, texts: 0 };
}

/** The anchors of a population taken together, as the last row of a report's leaderboard. */
export function anchorRows({ anchors, population }: WriterBenchmark): BenchmarkWriter[] {
  if (!anchors) return [];
  const name = reportWordsIn(population.language).anchors;
  const level = scored(anchors.level, anchors.interval);
  return [{ ...NOWHERE, name, rank: null, level, texts: anchors.novels }];
}

/** The writers' means and the human novels on each dimension. */
export function dimensionScores(
  { board, population }: WriterBenchmark,
  dimensions: readonly string[],
  caption: string,
): DimensionScores {
  return {
    caption,
    dimensions,
    writers: board.rows.map(({ writer, dimensionMeans }) => ({ writer, scores: dimensionMeans })),
    novels: population.novels.map(({ scores }) => scores),
  };
}

/** Each panel judge's results for the writers; empty if there was only one judge. */
export function eachJudge({ panel, board, population }: WriterBenchmark): FigureSection["tables"] {
  if (!panel) return [];
  const { figures } = reportWordsIn(population.language);
  return [
    {
      title: figures.eachJudge,
      headings: [figures.writer, ...judgesInWords(panel.judges.map(({ judge }) => judge))],
      rows: board.rows.map(({ writer }) => [
        writer,
        ...panel.judges.map(({ board: own }) => {
          const row = own.rows.find((one) => one.writer === writer);
          if (!row) return "–";
          const [low, high] = row.interval;
          return `${figure(row.composite)} ${row.groups} · ${row.level.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;
        }),
      ]),
      note: figures.eachJudgeHint,
    },
  ];
}

/** Uses a real minus sign, which cannot be confused with the dash of a range. */
export function figure(value: number): string {
  return value
    .toFixed(2)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");
}

/** The report of a benchmark as one HTML file in the language of the novels, rendered by the web app's components. */
export async function htmlBenchmark(benchmark: WriterBenchmark, names: Names = new Map()): Promise<string> {
  return (await builtSitePages()).benchmarkHtml(benchmarkFile(benchmark, names));
}

function benchmarkFile(benchmark: WriterBenchmark, names: Names): BoardFile {
  const { population, board, panel } = benchmark;
  const words = reportWordsIn(population.language);
  const { figures } = words;
  const shown = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.replace("-", "−");
  const own = boardOf(ownBoard(benchmark), names);
  return {
    language: population.language === "zh" ? "zh" : "en",
    title: words.title,
    lead: populationInWords(benchmark),
    first: {
      heading: figures.believed,
      entries: [...validityInWords(benchmark), ...benchmark.warnings.map(words.warning)],
    },
    board: { ...own, writerRows: [...own.writerRows, ...anchorRows(benchmark)], notes: [] },
    boardHint: figures.levelsHint,
    dimensions: [
      ...(panel?.judges ?? []).map(({ judge, dimensions, means }) => ({
        caption: figures.dimensionsByHint(judge),
        dimensions: shown(dimensions),
        writers: board.rows.map(({ writer }) => ({ writer, scores: means.get(writer) ?? [] })),
        novels: [],
      })),
      dimensionScores(
        benchmark,
        panel ? judgesInWords(population.dimensions) : shown(population.dimensions),
        panel ? figures.judgesHint : figures.dimensionsHint,
      ),
    ],
    sections: panel
      ? [{ heading: figures.eachJudge, tables: eachJudge(benchmark), hints: [] }]
      : [
          tableSection(
            figures.weights,
            [figures.dimension, figures.weight],
            shown(population.dimensions).map((name, at) => [name, percent(population.weights[at]!)]),
            figures.weightsHint,
          ),
          tableSection(
            figures.variance,
            [figures.componentName, figures.share],
            population.explainedVariance.map((share, at) => [figures.component(at + 1), percent(share)]),
            figures.varianceHint,
          ),
        ],
  };
}

/** A section of one table. */
export function tableSection(
  heading: string,
  headings: readonly string[],
  rows: FigureTable["rows"],
  hint: string,
): FigureSection {
  return { heading, tables: [{ title: heading, headings, rows }], hints: [hint] };
}
