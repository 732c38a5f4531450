import { mkdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import { type BenchManifest, benchFiles, type ChosenChapter, chosenChapterSchema } from "../bench/bench-folder.ts";
import { chooseConsecutive } from "../bench/prepare/choose-chapters.ts";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { jsonLines, writeJsonLines } from "../core/json-lines.ts";
import type { ProgressListener } from "../core/progress.ts";
import { seededRandom } from "../core/random.ts";
import { writeWholeFile } from "../core/write-whole-file.ts";
import type { Book } from "../text/book.ts";
import { prepareCorpus } from "../text/corpus/prepare.ts";
import { readBook } from "../text/read-book.ts";

export interface PrepareBenchOptions {
  readonly files: readonly string[];
  readonly folder: string;
  readonly chapters: number;
  readonly minimumWorks: number;
  readonly similarity: number;
  readonly seed: number;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

/** What near-duplicates are told by: the paper compares the beginnings of the texts. */
const COMPARED_CHARACTERS = 3000;

interface Candidate {
  readonly file: string;
  readonly book: Pick<Book, "title" | "author" | "language" | "words"> & {
    readonly sha256: string;
    readonly chapters: number;
  };
  readonly opening: string;
  readonly chosen: BenchManifest["novels"][number]["chapters"];
}

/**
 * A corpus in, ten consecutive chapters of each novel out; every file that was left out is listed with its reason. Chapters
 * go to disk as they are read and only openings stay in memory, so that the size of a corpus is bounded by the disk.
 */
export async function prepareBench(options: PrepareBenchOptions): Promise<BenchManifest> {
  const files = benchFiles(options.folder);
  const spool = `${files.chapters}.read`;
  const names = uniqueNames(options.files);
  const candidates: Candidate[] = [];
  const excluded: BenchManifest["excluded"] = [];
  await mkdir(options.folder, { recursive: true });
  try {
    await writeJsonLines(spool, readCandidates(options, names, candidates, excluded));
    const corpus = prepareCorpus(
      candidates.map(({ file, book }) => ({
        id: file,
        author: book.author,
        chapters: book.chapters,
        words: book.words,
      })),
      (index) => candidates[index]!.opening,
      {
        minimumChapters: options.chapters,
        minimumWorks: options.minimumWorks,
        similarity: options.similarity,
        ...(options.onProgress && { onProgress: options.onProgress }),
      },
    );
    const titles = new Map(candidates.map(({ file, book }) => [file, book.title]));
    for (const { id, reason } of corpus.excluded) excluded.push({ file: id, title: titles.get(id) ?? null, reason });
    const kept = new Set(corpus.kept.map(({ id }) => id));
    const novels = candidates
      .filter(({ file }) => kept.has(file))
      .map(({ file, book: { title, author, language, sha256: hash }, chosen }) => ({
        novel: names.get(file)!,
        file,
        title,
        author,
        language,
        sha256: hash,
        chapters: chosen,
      }));
    const manifest: BenchManifest = {
      format: 1,
      seed: options.seed,
      chaptersPerNovel: options.chapters,
      novels,
      excluded,
    };
    const keptNames = new Set(novels.map(({ novel }) => novel));
    await writeWholeFile(files.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
    await writeJsonLines(files.chapters, only(jsonLines(spool, chosenChapterSchema), keptNames));
    return manifest;
  } finally {
    await rm(spool, { force: true });
  }
}

async function* readCandidates(
  options: PrepareBenchOptions,
  names: ReadonlyMap<string, string>,
  candidates: Candidate[],
  excluded: BenchManifest["excluded"],
): AsyncGenerator<ChosenChapter> {
  for (const [position, file] of options.files.entries()) {
    options.signal.throwIfAborted();
    options.onProgress?.({ stage: "Reading", done: position, total: options.files.length });
    let book: Book;
    try {
      book = await readBook(file);
    } catch (error) {
      if (!(error instanceof FabulaError)) throw error;
      excluded.push({ file, title: null, reason: error.message });
      continue;
    }
    const novel = names.get(file)!;
    // The draw depends on the novel's own name, so that adding a book to the corpus does not change the others.
    const random = seededRandom(Number.parseInt(sha256(`${options.seed}:${novel}`).slice(0, 8), 16));
    const run = chooseConsecutive(book.chapters.length, options.chapters, random);
    const chapters = run ? book.chapters.slice(run.first, run.first + run.count) : [];
    const { title, author, language, words } = book;
    candidates.push({
      file,
      book: { title, author, language, words, sha256: book.source.sha256, chapters: book.chapters.length },
      opening: opening(book),
      chosen: chapters.map((chapter) => ({ index: chapter.index, title: chapter.title, sha256: sha256(chapter.text) })),
    });
    for (const { index, words: count, text } of chapters) {
      yield {
        novel,
        writer: author ?? "unknown",
        title,
        language,
        chapter: index,
        words: count,
        sha256: sha256(text),
        text,
      };
    }
  }
}

async function* only(
  chapters: AsyncIterable<ChosenChapter>,
  novels: ReadonlySet<string>,
): AsyncGenerator<ChosenChapter> {
  for await (const chapter of chapters) if (novels.has(chapter.novel)) yield chapter;
}

function opening(book: Book): string {
  let text = "";
  for (const chapter of book.chapters) {
    text += chapter.text;
    if (text.length >= COMPARED_CHARACTERS) break;
  }
  return text.slice(0, COMPARED_CHARACTERS);
}

/** File names without their endings; the whole path where two files share one. */
function uniqueNames(files: readonly string[]): Map<string, string> {
  const short = (file: string) => basename(file).replace(/\.[^.]+$/, "");
  const counts = new Map<string, number>();
  for (const file of files) counts.set(short(file), (counts.get(short(file)) ?? 0) + 1);
  return new Map(files.map((file) => [file, counts.get(short(file)) === 1 ? short(file) : file]));
}
