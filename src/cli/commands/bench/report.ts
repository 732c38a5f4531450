import { ENGLISH_POPULATION, loadPopulation } from "../../../bench/population/reference-population.ts";
import { FabulaError } from "../../../core/errors.ts";
import { benchmarkTable } from "../../../report/bench/benchmark-table.ts";
import { csvBenchmark } from "../../../report/bench/csv-benchmark.ts";
import { htmlBenchmark } from "../../../report/bench/html-benchmark.ts";
import { markdownBenchmark } from "../../../report/bench/markdown-benchmark.ts";
import { terminalBenchmark } from "../../../report/bench/terminal-benchmark.ts";
import { leaderboardTable } from "../../../report/tables/leaderboard-rows.ts";
import { dimensionNames } from "../../../workflows/bench/dimension-names.ts";
import { rubricOf } from "../../../workflows/bench/folder.ts";
import { rankScoredWriters } from "../../../workflows/bench/population.ts";
import { writeTable } from "../../../workflows/tables.ts";
import { defineCommand } from "../../command.ts";
import { filesNamed } from "../../flags/files-named.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { writeReport } from "../../output/write-report.ts";

/** Scores by the judge that ships are placed on the population that ships. */
const GRADER_RUBRIC = "grader";
const USUAL_RUBRIC = "novel-bench-en";

export default defineCommand({
  summary: "Rank writers from scores of their chapters, with intervals and validity checks.",
  operands: "[SCORES.jsonl...]",
  flags: {
    scores: {
      type: "string",
      value: "FILE",
      repeats: true,
      help: "scores as others publish them; the same as naming the files",
    },
    rubric: {
      type: "string",
      value: "NAME|FILE",
      help: `the rubric the scores were given by; by default the population's, or ${USUAL_RUBRIC} without one`,
    },
    population: {
      type: "string",
      value: "NAME|FILE",
      help: "the population to place them on; for the grader's scores the one that ships, else the stories themselves",
    },
    second: {
      type: "string",
      value: "FILE",
      repeats: true,
      help: "a second judge's scores of the same stories: FILE1,FILE2 or a quoted glob; may be given again",
    },
    "second-rubric": { type: "string", value: "NAME|FILE", help: "its rubric, if it is a different one" },
    "second-population": { type: "string", value: "FILE", help: "its population" },
    out: {
      type: "string",
      value: "FILE",
      help: "write a report: .html, .md or .json, or a table: .csv, .jsonl or .parquet",
    },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "the random seed for the intervals" },
  },
  examples: [
    "fabula bench report scores.jsonl --population population.json --out leaderboard.html",
    "fabula bench report published.jsonl.gz --rubric longform --json",
  ],
  async run({ operands, flags, terminal }) {
    const scores = [...operands, ...(await filesNamed(flags.scores ?? []))];
    if (scores.length === 0) {
      throw new FabulaError("E_USAGE", "Give the scores to rank: `fabula bench report scores.jsonl`.");
    }
    const rubric = flags.rubric ?? (await rubricOfFile(flags.population)) ?? USUAL_RUBRIC;
    const benchmark = await rankScoredWriters({
      scores,
      rubric,
      population: flags.population ?? (rubric === GRADER_RUBRIC ? ENGLISH_POPULATION : null),
      second: flags.second?.length
        ? {
            scores: await filesNamed(flags.second),
            rubric: flags["second-rubric"] ?? (await rubricOfFile(flags["second-population"])) ?? rubric,
            population: flags["second-population"] ?? null,
          }
        : null,
      seed: flags.seed,
    });
    const names = await dimensionNames(benchmark.population, rubric);
    const document = () =>
      `${jsonDocument("leaderboard", {
        population: {
          id: benchmark.population.id,
          judge: benchmark.population.judge,
          novels: benchmark.population.corpus.novels,
        },
        writers: benchmarkTable(benchmark),
        comparisons: benchmark.board.comparisons,
        power: benchmark.power,
        genres: benchmark.genres,
        length: benchmark.length,
        ceiling: benchmark.ceiling,
        crossJudge: benchmark.crossJudge,
        panel: benchmark.panel && {
          judges: benchmark.panel.judges.map(({ judge, board, dimensions, means }) => ({
            judge,
            dimensions,
            means: Object.fromEntries(means),
            writers: board.rows.map(({ writer, rank, level, interval }) => ({ writer, rank, level, interval })),
            unplaced: board.unplaced,
          })),
          pairs: benchmark.panel.pairs,
        },
        anchors: benchmark.anchors,
        repeatability: benchmark.population.repeatability ?? [],
        selfPreference: benchmark.selfPreference,
        unplaced: benchmark.board.unplaced,
        warnings: benchmark.warnings,
      })}\n`;
    if (flags.out && /\.(?:jsonl|parquet)$/i.test(flags.out)) {
      const { columns, rows } = leaderboardTable(benchmark);
      await writeTable(flags.out, columns, rows);
    } else if (flags.out) {
      await writeReport(flags.out, {
        html: () => htmlBenchmark(benchmark, names),
        md: () => markdownBenchmark(benchmark, names),
        csv: () => csvBenchmark(benchmark),
        json: document,
      });
    }
    terminal.print(flags.json ? document() : terminalBenchmark(benchmark, { colours: terminal.colours }));
    if (flags.out && !flags.json) terminal.note(`The report is in ${flags.out}.`);
    return benchmark.board.unplaced.length > 0 ? 3 : 0;
  },
});

async function rubricOfFile(population: string | undefined): Promise<string | null> {
  return population === undefined ? null : rubricOf(await loadPopulation(population));
}
