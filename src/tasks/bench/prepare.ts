import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename } from "node:path";
import {
  type BenchManifest,
  benchFiles,
  type ChosenChapter,
  chosenChapterSchema,
  manifestSchema,
} from "../../bench/bench-folder.ts";
import { UNKNOWN_WRITER } from "../../bench/population/novel-scores.ts";
import { chooseConsecutive, TextSpool } from "../../bench/prepare.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { sha256 } from "../../core/hash.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import type { Book, Chapter } from "../../text/book.ts";
import { prepareCorpus } from "../../text/corpus/prepare.ts";
import { inOrder } from "../../text/parsing/in-order.ts";
import { POOL_SIZE } from "../../text/parsing/parse-pool.ts";
import { readBook } from "../../text/read-book.ts";
import type { NovelList } from "./folder.ts";

export interface PrepareBenchOptions {
  readonly files: readonly string[];
  readonly folder: string;
  readonly chapters: number;
  readonly minimumWorks: number;
  readonly similarity: number;
  readonly seed: number;
  /** Genres, years and authors by novel, from the user's own list. */
  readonly list?: NovelList;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface PreparedBench {
  readonly novels: number;
  readonly chapters: number;
  readonly excluded: BenchManifest["excluded"];
  /** How many novels were kept, by language. */
  readonly languages: Readonly<Record<string, number>>;
  /** Books that were probably read wrongly. */
  readonly warnings: readonly { readonly file: string; readonly warning: string }[];
}

type Novel = BenchManifest["novels"][number];

/** What is kept in memory for every book; the rest stays on disk. */
interface Candidate {
  readonly file: string;
  readonly title: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly chapters: number;
  readonly words: number;
}

/** Temporary files for the books that were read, until it is known which ones are kept. */
interface Spools {
  readonly chapters: string;
  readonly novels: string;
  readonly texts: TextSpool;
}

/**
 * Takes ten consecutive chapters of each novel of a corpus, and lists every excluded file with the reason. Chapters,
 * texts and the manifest's entries go to disk as they are read, so that the size of a corpus is bounded by the disk.
 */
export async function prepareBench(options: PrepareBenchOptions): Promise<PreparedBench> {
  const files = benchFiles(options.folder);
  await makeFolder(options.folder);
  const spools: Spools = {
    chapters: `${files.chapters}.read.jsonl`,
    novels: `${files.manifest}.read`,
    texts: new TextSpool(`${files.chapters}.texts`),
  };
  const candidates: Candidate[] = [];
  const excluded: BenchManifest["excluded"] = [];
  const warnings: { file: string; warning: string }[] = [];
  try {
    await writeJsonLines(spools.chapters, readCandidates(options, spools, candidates, excluded, warnings));
    const corpus = prepareCorpus(
      candidates.map(({ file, author, chapters, words }) => ({ id: file, author, chapters, words })),
      (index) => spools.texts.at(index),
      {
        minimumChapters: options.chapters,
        minimumWorks: options.minimumWorks,
        similarity: options.similarity,
        ...(options.onProgress && { onProgress: options.onProgress }),
      },
    );
    const titles = new Map(candidates.map(({ file, title }) => [file, title]));
    for (const { id, reason } of corpus.excluded) excluded.push({ file: id, title: titles.get(id) ?? null, reason });
    const kept = new Set(corpus.kept.map(({ id }) => id));
    const names = uniqueNames(options.files);
    const keptNames = new Set([...kept].map((file) => names.get(file)!));
    const novels = only(jsonLines(spools.novels, manifestSchema.shape.novels.element), keptNames);
    const languages = languagesOf(candidates.filter(({ file }) => kept.has(file)));
    await writeManifest(files.manifest, {
      seed: options.seed,
      chapters: options.chapters,
      languages,
      novels,
      excluded,
    });
    await writeJsonLines(files.chapters, only(jsonLines(spools.chapters, chosenChapterSchema), keptNames));
    return { novels: kept.size, chapters: kept.size * options.chapters, excluded, languages, warnings };
  } finally {
    spools.texts.remove();
    await rm(spools.chapters, { force: true });
    await rm(spools.novels, { force: true });
  }
}

/** One entry per line, because the manifest of a large corpus does not fit into one string. */
export async function writeManifest(
  path: string,
  parts: {
    readonly seed: number;
    readonly chapters: number;
    readonly languages: Readonly<Record<string, number>>;
    readonly novels: Iterable<Novel> | AsyncIterable<Novel>;
    readonly excluded: BenchManifest["excluded"];
  },
): Promise<void> {
  async function* text() {
    yield `{"format":1,"seed":${parts.seed},"chaptersPerNovel":${parts.chapters},"languages":${JSON.stringify(parts.languages)},"novels":[`;
    let separator = "\n";
    for await (const novel of parts.novels) {
      yield `${separator}${JSON.stringify(novel)}`;
      separator = ",\n";
    }
    yield `\n],"excluded":[${parts.excluded.map((row) => `\n${JSON.stringify(row)}`).join(",")}\n]}\n`;
  }
  await writeWholeFile(path, text());
}

async function* readCandidates(
  options: PrepareBenchOptions,
  spools: Spools,
  candidates: Candidate[],
  excluded: BenchManifest["excluded"],
  warnings: { file: string; warning: string }[],
): AsyncGenerator<ChosenChapter> {
  const names = uniqueNames(options.files);
  const entries = createWriteStream(spools.novels);
  let position = 0;
  for await (const [file, reading] of inOrder(options.files, POOL_SIZE, (one) => readBook(one))) {
    options.signal.throwIfAborted();
    options.onProgress?.({ stage: "Reading", done: position++, total: options.files.length });
    if (reading.status === "rejected") {
      if (!(reading.reason instanceof FabulaError)) throw reading.reason;
      excluded.push({ file, title: null, reason: reading.reason.message });
      continue;
    }
    const book = reading.value;
    for (const warning of book.warnings) warnings.push({ file, warning });
    if (isCutByLength(book)) {
      const reason = `no chapter headings were found: its text was cut by length into ${book.chapters.length} pieces, which are no chapters`;
      excluded.push({ file, title: book.title, reason });
      continue;
    }
    const different = withoutRepeats(book.chapters);
    const repeats = book.chapters.length - different.length;
    if (repeats > 0) {
      const are = repeats === 1 ? "A chapter repeats another and is" : `${repeats} chapters repeat others and are`;
      warnings.push({ file, warning: `${are} not drawn.` });
    }
    const novel = names.get(file)!;
    // The draw is seeded with the novel's name, so that adding a book does not change the draws of others.
    const random = seededRandom(Number.parseInt(sha256(`${options.seed}:${novel}`).slice(0, 8), 16));
    const run = chooseConsecutive(different.length, options.chapters, random);
    const chapters = run ? different.slice(run.first, run.first + run.count) : [];
    const { title, language, words } = book;
    const listed = options.list?.find(file, title) ?? null;
    const author = listed?.author ?? book.author;
    candidates.push({ file, title, author, language, words, chapters: different.length });
    spools.texts.add(book.chapters.map(({ text }) => text).join("\n\n"));
    const chosen = chapters.map((chapter) => ({
      index: chapter.index,
      title: chapter.title,
      sha256: sha256(chapter.text),
    }));
    const entry: Novel = {
      novel,
      file,
      title,
      author,
      language,
      genre: listed?.genre ?? book.genres[0] ?? null,
      year: listed?.year ?? null,
      sha256: book.source.sha256,
      chapters: chosen,
    };
    if (!entries.write(`${JSON.stringify(entry)}\n`)) await once(entries, "drain");
    for (const [index, { index: chapter, words: count, text }] of chapters.entries()) {
      const writer = author ?? UNKNOWN_WRITER;
      yield { novel, writer, title, language, chapter, words: count, sha256: chosen[index]!.sha256, text };
    }
  }
  entries.end();
  await once(entries, "finish");
}

/**
 * Whether a novel was cut into parts of equal length because it has no headings. These are not chapters, so
 * WebNovelBench excludes such novels. A text that stayed in one piece was not cut.
 */
function isCutByLength({ finding, chapters }: Book): boolean {
  return finding?.unheededLines !== undefined && chapters.length > 1 && chapters.every(({ title }) => title === null);
}

/** Files from the web may repeat a chapter's text under several headings; if it were drawn twice, it would count twice. */
function withoutRepeats(chapters: readonly Chapter[]): readonly Chapter[] {
  const seen = new Set<string>();
  return chapters.filter(({ text }) => !seen.has(text) && seen.add(text));
}

async function* only<Row extends { readonly novel: string }>(
  rows: AsyncIterable<Row>,
  novels: ReadonlySet<string>,
): AsyncGenerator<Row> {
  for await (const row of rows) if (novels.has(row.novel)) yield row;
}

function languagesOf(novels: readonly Candidate[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { language } of novels) counts[language ?? "unknown"] = (counts[language ?? "unknown"] ?? 0) + 1;
  return counts;
}

/** File names without their endings, or the whole path where two files share a name. */
function uniqueNames(files: readonly string[]): Map<string, string> {
  const short = (file: string) => basename(file).replace(/\.[^.]+$/, "");
  const counts = new Map<string, number>();
  for (const file of files) counts.set(short(file), (counts.get(short(file)) ?? 0) + 1);
  return new Map(files.map((file) => [file, counts.get(short(file)) === 1 ? short(file) : file]));
}
