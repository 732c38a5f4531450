import { join } from "node:path";
import { makeFolder } from "../../../core/files/make-folder.ts";
import { writeWholeFile } from "../../../core/files/write-whole-file.ts";
import { benchmarkTable } from "../../../report/bench/benchmark-table.ts";
import { csvBenchmark, csvLines } from "../../../report/bench/csv-benchmark.ts";
import { indexPage } from "../../../report/bench/site/index-page.ts";
import type { SiteData } from "../../../report/bench/site/site-data.ts";
import { citationFile, methodsPage, samplesPage } from "../../../report/bench/site/text-pages.ts";
import { type ParquetColumn, writeParquet } from "../../runs/export-run.ts";
import type { LeaderboardOptions } from "./leaderboard-options.ts";
import type { MadeLeaderboard } from "./make-leaderboard.ts";

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

/** Writes the site: pages, data in three formats, and the citation. Nothing of it needs a server's help. */
export async function writeSite(
  folder: string,
  site: SiteData,
  made: MadeLeaderboard,
  { onProgress }: Pick<LeaderboardOptions, "onProgress"> = {},
): Promise<void> {
  const data = join(folder, "data");
  await makeFolder(data);
  const pairs = site.benchmark.board.comparisons.pairs.map(({ interval, ...pair }) => ({
    ...pair,
    low: interval?.[0] ?? null,
    high: interval?.[1] ?? null,
  }));
  const scores = scoreRows(site, made);
  const texts: readonly (readonly [string, () => string])[] = [
    [join(folder, "index.html"), () => indexPage(site)],
    [join(folder, "methods.html"), () => methodsPage(site)],
    [join(folder, "samples.html"), () => samplesPage(site)],
    [join(folder, "CITATION.cff"), () => citationFile(site)],
    [join(data, "leaderboard.csv"), () => csvBenchmark(site.benchmark)],
    [join(data, "leaderboard.json"), () => `${JSON.stringify(document(site), null, 2)}\n`],
    [join(data, "pairs.csv"), () => csvLines(pairs)],
    [join(data, "scores.csv"), () => csvLines(scores)],
  ];
  for (const [done, [file, text]] of texts.entries()) {
    onProgress?.({ stage: "Writing the site", done, total: texts.length + 2 });
    await writeWholeFile(file, text());
  }
  await writeTable(join(data, "leaderboard.parquet"), boardRows(site));
  onProgress?.({ stage: "Writing the site", done: texts.length + 1, total: texts.length + 2 });
  await writeTable(join(data, "scores.parquet"), scores);
}

function document({ benchmark, writers, title, date, version }: SiteData) {
  return {
    schema: "fabula-leaderboard-1",
    fabula: version,
    title,
    date,
    population: {
      id: benchmark.population.id,
      judge: benchmark.population.judge,
      novels: benchmark.population.novels.length,
    },
    writers: benchmarkTable(benchmark),
    conduct: writers,
    comparisons: benchmark.board.comparisons,
    power: benchmark.power,
    genres: benchmark.genres,
    unplaced: benchmark.board.unplaced,
    warnings: benchmark.warnings,
  };
}

function boardRows({ benchmark }: SiteData): Row[] {
  return benchmarkTable(benchmark).map((row) => ({
    rank: row.rank,
    writer: row.writer,
    level: row.level,
    low: row.low,
    high: row.high,
    groups: row.groups,
    composite: row.composite,
    composite_low: row.compositeLow,
    composite_high: row.compositeHigh,
    novels: row.novels,
    chapters: row.chapters,
    mean_words: row.meanWords,
  }));
}

/** A row for each chapter and judge: what anybody needs to do the statistics again. */
function scoreRows({ judges }: SiteData, { runs, populations }: MadeLeaderboard): Row[] {
  const panel = populations.at(-1)!.panel;
  return runs.flatMap(({ chapters }) =>
    chapters.flatMap((chapter) =>
      judges.map(({ judge, benchmark: { population } }, index): Row => {
        const scores = panel ? (chapter.seatScores?.[index] ?? []) : chapter.scores;
        return {
          writer: chapter.writer,
          novel: chapter.novel,
          chapter: chapter.chapter,
          words: chapter.words,
          judge,
          ...Object.fromEntries(population.dimensions.map((id, at) => [id, scores[at] ?? null])),
        };
      }),
    ),
  );
}

async function writeTable(path: string, rows: readonly Row[]): Promise<void> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map(
    (name): ParquetColumn => ({ name, type: rows.some((row) => typeof row[name] === "string") ? "STRING" : "DOUBLE" }),
  );
  await writeParquet(path, columns, each(rows));
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
