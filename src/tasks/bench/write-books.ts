import { join } from "node:path";
import { benchFiles, type SynopsisRow, synopsisRowSchema } from "../../bench/bench-folder.ts";
import {
  type BookCurve,
  type BookFigure,
  type BookPoint,
  bookCurves,
  bookPoints,
  type WrittenBook,
  writeBook,
} from "../../bench/books.ts";
import { type ChapterScorer, scoreRow } from "../../bench/scoring.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import { groupBy } from "../../core/group-by.ts";
import { sha256 } from "../../core/hash.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { checkBook } from "../../prose/checks/check-book.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { Run } from "../../runner/open-run.ts";
import { mean, sum } from "../../stats/distribution.ts";
import { meanInterval } from "../../stats/special/student-t.ts";
import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";
import { defaultRubric, novelFacts } from "./folder.ts";
import { scorerNamed } from "./scorer.ts";
import { retold, sampleNovels, writerName } from "./write-chapters.ts";

export interface BookOptions {
  readonly folder: string;
  readonly writers: readonly string[];
  readonly judges: readonly string[];
  readonly rubric: string | null;
  readonly novels: number;
  readonly chapters: number;
  readonly context: number;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  readonly seed: number;
  readonly prompts: PromptSource;
  /** Runs a close reading of a book; null if none was asked for. */
  readonly readClosely: ((book: Book) => Promise<readonly Finding[]>) | null;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface BooksOfWriter {
  readonly writer: string;
  readonly file: string;
  readonly books: readonly {
    readonly novel: string;
    readonly words: number;
    /** Each chapter, in order. */
    readonly points: readonly BookPoint[];
    /** The whole text judged at once: the mean over dimensions and judges; null if any dimension has no score. */
    readonly whole: number | null;
    /** Why the book ends early; null if it does not. */
    readonly reason: string | null;
  }[];
  readonly curves: Readonly<Record<BookFigure, BookCurve>>;
  readonly whole: { readonly mean: number; readonly interval: readonly [number, number] | null } | null;
}

export interface BookResult {
  readonly folder: string;
  readonly chapters: number;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly writers: readonly BooksOfWriter[];
  readonly unfinished: number;
  /** How many texts at least one judge could not score. */
  readonly unscored: number;
}

/** Has writers write whole books from the premises of a benchmark's novels, and follows the quality over their length. */
export async function runBooks(run: Run, options: BookOptions): Promise<BookResult> {
  const { folder, onProgress, signal } = options;
  const rubric = options.rubric ?? (await defaultRubric(folder));
  const asked = { rubric, prompts: options.prompts };
  const scorers = await Promise.all(options.judges.map((judge) => scorerNamed(judge, asked, run)));
  const premises = await premisesIn(options);
  const writers: BooksOfWriter[] = [];
  let unscored = 0;
  for (const name of options.writers) {
    const writer = writerName(name, options);
    const model = await run.model(name);
    let done = 0;
    const total = premises.length * options.chapters;
    const books = await mapBounded(
      premises,
      run.concurrency,
      async ({ novel, language, premise }): Promise<WrittenBook> => {
        const onChapter = () => onProgress?.({ stage: `Writing books (${name})`, done: ++done, total });
        const work = { ...options, language, onChapter };
        return { novel, writer, ...(await writeBook(model, premise, scorers[0]!.rubric, work, signal)) };
      },
    );
    const file = join(folder, `books.${sha256(writer).slice(0, 8)}.jsonl`);
    if (!run.dryRun) await writeJsonLines(file, books);
    const followed = await mapBounded(books, run.concurrency, async (book) => {
      onProgress?.({ stage: `Judging books (${name})`, done: 0, total: null });
      const qualities = await mapBounded(book.chapters, run.concurrency, ({ text }) =>
        qualityOf(text, scorers, signal),
      );
      const whole = book.chapters.length === 0 ? null : await qualityOf(textOf(book), scorers, signal);
      unscored += [...qualities, whole].filter((quality) => quality === null).length;
      const read = bookOf(book);
      const closely = options.readClosely && book.chapters.length > 0 ? await options.readClosely(read) : null;
      const counted = book.chapters.length === 0 ? [] : checkBook(read).findings;
      const chapters = book.chapters.map((chapter, at) => ({ ...chapter, quality: qualities[at]! }));
      const points = bookPoints(chapters, counted, closely);
      return {
        ...{ novel: book.novel, reason: book.reason, points, whole },
        words: sum(points.map(({ words }) => words)),
      };
    });
    const wholes = followed.flatMap(({ whole }) => whole ?? []);
    writers.push({
      ...{ writer, file, books: followed },
      curves: bookCurves(followed.map(({ points }) => points)),
      whole: wholes.length === 0 ? null : { mean: mean(wholes), interval: meanInterval(wholes) },
    });
  }
  return {
    ...{ folder, chapters: options.chapters, scale: scorers[0]!.rubric.scale, writers, unscored },
    unfinished: writers.flatMap(({ books }) => books).filter(({ reason }) => reason !== null).length,
  };
}

/** The mean over a judge's dimensions, then over judges; null if any dimension has no score. */
async function qualityOf(text: string, scorers: readonly ChapterScorer[], signal: AbortSignal): Promise<number | null> {
  const rows = await Promise.all(
    scorers.map(async (scorer) => scoreRow(await scorer.score(text, 0, signal), scorer.rubric)),
  );
  const scores = rows.flat();
  const known = scores.filter((score) => score !== null);
  return known.length < scores.length || known.length === 0 ? null : mean(rows.map((row) => mean(row as number[])));
}

function textOf({ chapters }: WrittenBook): string {
  return chapters.map(({ text }) => text).join("\n\n");
}

function bookOf(book: WrittenBook): Book {
  const text = textOf(book);
  return {
    ...{ title: book.novel, author: null, language: book.language, genres: [], premise: null },
    chapters: book.chapters.map((one) => ({
      ...{ index: one.chapter, title: null, text: one.text, words: countWords(one.text) },
    })),
    words: countWords(text),
    ...{ removed: [], warnings: [] },
    source: { file: book.novel, format: "text", encoding: "utf-8", bytes: text.length, sha256: sha256(text) },
  };
}

/** The premises of the books: the people in a novel's synopses, and how each chapter begins. */
async function premisesIn({ folder, novels, seed }: BookOptions) {
  const rows = await readJsonLines(benchFiles(folder).synopses, synopsisRowSchema);
  const byNovel = groupBy(rows, ({ novel }) => novel);
  const titles: string[] = [];
  try {
    for await (const { novel } of novelFacts(folder)) titles.push(novel);
  } catch {
    // Without a manifest, the novels are in the order of their synopses.
  }
  const known = new Set(retold(rows));
  const available = [...new Set([...titles, ...known])].filter((novel) => known.has(novel));
  if (available.length === 0) {
    throw new FabulaError(
      "E_BENCH_EMPTY",
      `There is no synopsis to write from in ${folder}: run \`fabula bench synopsis\` first.`,
    );
  }
  return sampleNovels(available, { novels, population: null, random: seededRandom(seed) }).map((novel) => {
    const own = byNovel.get(novel)!;
    return { novel, language: own[0]!.language, premise: premiseOf(own) };
  });
}

function premiseOf(rows: readonly SynopsisRow[]): string {
  const synopses = rows.flatMap(({ synopsis }) => synopsis ?? []);
  const people = new Map(synopses.flatMap(({ characters }) => characters).map(({ name, about }) => [name, about]));
  return [
    ...[...people].map(([name, about]) => `${name}: ${about}`),
    ...synopses.flatMap(({ plot }) => plot.slice(0, 2)),
  ].join("\n");
}
