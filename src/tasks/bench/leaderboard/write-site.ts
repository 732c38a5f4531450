import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { assetPath } from "../../../core/assets.ts";
import { makeFolder, writeWholeFile } from "../../../core/files.ts";
import { benchmarkTable, csvBenchmark, csvLines } from "../../../report/bench/benchmark-table.ts";
import { boardFile } from "../../../report/bench/site/board-file.ts";
import { builtSitePages, type SitePages } from "../../../report/bench/site/built-pages.ts";
import { citationFile, fileNames, type SiteData } from "../../../report/bench/site/site-data.ts";
import { siteTexts } from "../../../report/bench/site/texts.ts";
import { type ParquetColumn, writeParquet } from "../../runs/export-run.ts";
import { headToHeadIn } from "../run-duels.ts";
import { Works } from "../works.ts";
import type { LeaderboardOptions, MadeLeaderboard } from "./make-leaderboard.ts";

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

export interface WriteSiteOptions extends Pick<LeaderboardOptions, "folder" | "onProgress" | "signal"> {
  /** Whether findings may be stored in the benchmark's folder; false if the folder is published data. */
  readonly keepsFindings: boolean;
}

/** Writes the site: pages, data in three formats, and the citation. It needs no server. */
export async function writeSite(
  folder: string,
  site: SiteData,
  made: MadeLeaderboard,
  options: WriteSiteOptions,
): Promise<void> {
  const { onProgress } = options;
  const data = join(folder, "data");
  await makeFolder(data);
  const pairs = site.benchmark.board.comparisons.pairs.map(({ interval, ...pair }) => ({
    ...pair,
    low: interval?.[0] ?? null,
    high: interval?.[1] ?? null,
  }));
  const scores = scoreRows(site, made);
  const pages = await builtSitePages();
  const works = await worksOf(site, made, options);
  const frame = frameOf(site, works);
  const words = siteTexts(site.language);
  const files = [
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.parquet",
    "pairs.csv",
    "scores.csv",
    "scores.parquet",
  ];
  const texts: readonly (readonly [string, () => string | Promise<string>])[] = [
    [join(folder, "index.html"), () => pages.boardHtml(frame, boardFile(site, works), { ...words, files })],
    [join(folder, "methods.html"), () => pages.methodsHtml(frame, site.methods, methodsWords(site))],
    [join(folder, "site.js"), () => readFileSync(assetPath("report", "site.js"), "utf8")],
    [join(folder, "site.css"), () => pages.SITE_STYLE],
    [join(folder, "texts.html"), () => pages.textsHtml(frame, works)],
    [join(folder, "CITATION.cff"), () => citationFile(site)],
    [join(data, "leaderboard.csv"), () => csvBenchmark(site.benchmark)],
    [join(data, "leaderboard.json"), () => `${JSON.stringify(document(site), null, 2)}\n`],
    [join(data, "pairs.csv"), () => csvLines(pairs)],
    [join(data, "scores.csv"), () => csvLines(scores)],
  ];
  for (const [done, [file, text]] of texts.entries()) {
    onProgress?.({ stage: "Writing the site", done, total: texts.length + 2 });
    await writeWholeFile(file, await text());
  }
  await writeTable(join(data, "leaderboard.parquet"), boardRows(site));
  onProgress?.({ stage: "Writing the site", done: texts.length + 1, total: texts.length + 2 });
  await writeTable(join(data, "scores.parquet"), scores);
  await writeTexts(folder, site, made, { ...options, pages, works, frame });
}

async function worksOf(site: SiteData, { runs, populations }: MadeLeaderboard, options: WriteSiteOptions) {
  const shown = new Map(runs.map((run) => [run.name, run]));
  return Works.open({
    folder: options.folder,
    population: populations.at(-1)!,
    writers: site.writers.map((about) => ({ ...shown.get(about.writer)!, ...about })),
    duels: (await headToHeadIn(options.folder))?.rows ?? [],
    keepsFindings: options.keepsFindings,
  });
}

function methodsWords({ language, benchmark }: SiteData) {
  const { statisticsHint, ...words } = siteTexts(language);
  return { ...words, statisticsHints: [benchmark.board.comparisons.method, statisticsHint] };
}

/** What every page needs to know of the site. */
function frameOf(site: SiteData, works: Works) {
  const [writerFiles, novelFiles] = [
    fileNames(works.writers.map(({ writer }) => writer)),
    fileNames(works.novels.map(({ novel }) => novel)),
  ];
  const { nav, made } = siteTexts(site.language);
  return {
    title: site.title,
    language: site.language,
    footer: made(site.version, site.date),
    nav: [
      { href: "index.html", label: nav.board },
      { href: "texts.html", label: nav.texts },
      { href: "methods.html", label: nav.methods },
    ],
    writerFile: (writer: string) => writerFiles.get(writer)!,
    novelFile: (novel: string) => novelFiles.get(novel)!,
  };
}

/**
 * Writes a page for every writer and every novel. The texts are in one file per novel, loaded when a reader opens
 * one; it is a script because a page opened from disk may load nothing else.
 */
async function writeTexts(
  folder: string,
  site: SiteData,
  { runs }: MadeLeaderboard,
  options: WriteSiteOptions & {
    readonly pages: SitePages;
    readonly works: Works;
    readonly frame: ReturnType<typeof frameOf>;
  },
): Promise<void> {
  const { pages, works, frame } = options;
  for (const name of ["writers", "novels", "texts"]) await makeFolder(join(folder, name));
  const words = frequentWords(runs.flatMap(({ written }) => written.flatMap(({ text }) => text ?? [])));
  await writeWholeFile(join(folder, "texts", "words.js"), `fabulaWords(${JSON.stringify([...words.keys()])})\n`);
  for (const [done, { novel }] of works.novels.entries()) {
    options.onProgress?.({ stage: "Writing the texts", done, total: works.novels.length });
    const markup: Record<string, string> = {};
    for (const { writer } of works.writers) {
      const work = await works.work(writer, novel);
      if (work) markup[frame.writerFile(writer)] = pages.workMarkup(site.language, work);
      // The work blocks the thread: this lets the terminal redraw and Ctrl-C be noticed.
      await setImmediate();
      options.signal.throwIfAborted();
    }
    const name = frame.novelFile(novel);
    await writeWholeFile(join(folder, "texts", `${name}.js`), await textsFile(name, markup, words));
    await writeWholeFile(join(folder, "novels", `${name}.html`), pages.novelHtml(frame, works.novelPage(novel)!));
  }
  for (const { writer } of works.writers) {
    const page = pages.writerHtml(frame, works.writerPage(writer)!);
    await writeWholeFile(join(folder, "writers", `${frame.writerFile(writer)}.html`), page);
  }
  await works.keep();
}

const deflate = promisify(deflateRaw);
/**
 * The first of 32,768 characters that carry fifteen bits each. None of them is a quotation mark, a line break or a
 * surrogate.
 */
const FIRST_CHARACTER = 0x100;

/**
 * The first of Unicode's private-use characters, each of which stands for a frequent word. Deflate alone cannot
 * shorten these as well.
 */
const FIRST_WORD = 0xe000;
const MOST_WORDS = 6400;
const PRIVATE = /[\ue000-\uf8ff]/;
const WORD = / ?[A-Za-z]+/g;
/** Only every eighth text is counted, since the others use the same words. */
const COUNTED = 8;

/** The words whose replacement by one character saves most, each with its character. */
function frequentWords(texts: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (let at = 0; at < texts.length; at += texts.length > 1000 ? COUNTED : 1) {
    for (const [word] of texts[at]!.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const saved = ([word, count]: readonly [string, number]) => (word.length - 1) * count;
  const most = [...counts].filter(([word]) => word.length > 1).sort((one, other) => saved(other) - saved(one));
  return new Map(most.slice(0, MOST_WORDS).map(([word], at) => [word, String.fromCharCode(FIRST_WORD + at)]));
}

/** A script in UTF-16 that holds deflated JSON for the page: it stores fifteen bits of data in sixteen on disk. */
async function textsFile(
  name: string,
  markup: Readonly<Record<string, string>>,
  words: ReadonlyMap<string, string>,
): Promise<Uint8Array> {
  const plain = JSON.stringify(markup);
  const hasWords = !PRIVATE.test(plain);
  const json = hasWords ? plain.replace(WORD, (word) => words.get(word) ?? word) : plain;
  const bytes = await deflate(Buffer.from(json, "utf16le"), { level: 9 });
  const packed = new Uint16Array(Math.ceil((bytes.length * 8) / 15));
  let [bits, held, at] = [0, 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < 15) continue;
    bits -= 15;
    packed[at++] = FIRST_CHARACTER + (held >> bits);
    held &= (1 << bits) - 1;
  }
  if (bits > 0) packed[at] = FIRST_CHARACTER + (held << (15 - bits));
  return Buffer.concat([
    Buffer.from(`\ufefffabulaTexts(${JSON.stringify(name)},${hasWords},${bytes.length},"`, "utf16le"),
    Buffer.from(packed.buffer),
    Buffer.from('")', "utf16le"),
  ]);
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

/** A row for each chapter and judge, which is all that is needed to repeat the statistics. */
function scoreRows({ judges }: SiteData, { runs, populations }: MadeLeaderboard): Row[] {
  const panel = populations.at(-1)!.panel;
  return runs.flatMap(({ chapters }) =>
    chapters.flatMap((chapter) =>
      judges.map(({ judge, benchmark: { population } }, index): Row => {
        const scores = panel ? (chapter.scoresByJudge?.[index] ?? []) : chapter.scores;
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
