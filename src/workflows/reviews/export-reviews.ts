import { readdir, readFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { assetPath } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import { chooseExcerpts } from "../../judge/material/excerpts.ts";
import { excerptsText } from "../../judge/methods/summary.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { mitigate } from "../../reviews/mitigation.ts";
import { learnRatingScale } from "../../reviews/normalise-ratings.ts";
import { structuredReviewSchema } from "../../reviews/structured-review.ts";
import { type TrainingBook, type TrainingExample, trainingExamples } from "../../reviews/training-examples.ts";
import { readBook } from "../../text/read-book.ts";
import { distinctivePassages } from "../books/jury/distinctive-passages.ts";
import { loadAspectTools, type ReviewedBookRow, readReviewedBooks, starCounts } from "./review-data.ts";
import { platformOf } from "./review-report.ts";

export interface ExportRequest {
  readonly reviews: string;
  readonly books: string;
  readonly folder: string;
  /** Share of the books whose reviews are kept for testing, where `testBooks` does not name them. */
  readonly testShare: number;
  /** A file of the books to keep out of training, an id or a title per line. */
  readonly testBooks?: string;
  /** A folder of the books' texts, named by their ids: excerpts are taken from them, as they are when a book is judged. */
  readonly texts?: string;
  /** At most this many reviews of one book; all that sampling keeps when absent. */
  readonly perBook?: number;
  readonly baseModel: string;
  readonly seed: number;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

export interface ExportReport {
  readonly books: { readonly train: number; readonly test: number };
  readonly reviews: { readonly given: number; readonly kept: number };
  readonly examples: { readonly train: number; readonly test: number };
  /** Books that have reviews but no plot summary, or no entry at all. */
  readonly booksWithoutSummary: number;
  /** Books whose examples show excerpts. A judge that was trained without any meets them for the first time in use. */
  readonly booksWithExcerpts: number;
}

const TRAINER_FILES = ["llama-factory.yaml", "axolotl.yaml", "dataset_info.json"];

/**
 * Reviews and their books → everything that training takes: examples in chat and in prompt/completion form, split by book,
 * sampled against review bias, with normalised scores, and a configuration for each of two trainers.
 */
export async function exportReviews(request: ExportRequest): Promise<ExportReport> {
  if (request.reviews === "-") throw new FabulaError("E_USAGE", "The reviews are read twice: give the name of a file.");
  const books = await readReviewedBooks(request.books);
  const places: { book: string; reviewer: string; rating: number; place: number }[] = [];
  for await (const { book, reviewer, rating } of jsonLines(request.reviews, structuredReviewSchema)) {
    places.push({ book, reviewer, rating, place: places.length });
  }
  if (places.length === 0) throw new FabulaError("E_EMPTY", `${request.reviews} holds no reviews.`);
  const ratings = starCounts(books);
  const scale = learnRatingScale(places, platformOf(ratings.values()));
  const random = seededRandom(request.seed);
  const sampled = limitPerBook(shuffled(mitigate(places, ratings, random).kept, random), request.perBook);
  const usable = new Set([...books].filter(([, { plot_summary }]) => plot_summary).map(([id]) => id));
  const kept = new Set(sampled.filter(({ book }) => usable.has(book)).map(({ place }) => place));
  const reviewed = [...new Set(places.map(({ book }) => book))];
  const known = reviewed.filter((book) => usable.has(book)).sort();
  const test =
    request.testBooks === undefined
      ? new Set(shuffled(known, random).slice(0, Math.round(known.length * request.testShare)))
      : await namedBooks(request.testBooks, books);
  const excerpts = await excerptsOf(known, books, request.texts);
  await makeFolder(request.folder);
  const examples = { train: 0, test: 0 };
  for (const split of ["train", "test"] as const) {
    for (const form of ["chat", "completion"] as const) {
      let written = 0;
      const rows = async function* () {
        for await (const example of examplesOf(request, books, excerpts, scale.normalise, kept)) {
          if (test.has(example.book) !== (split === "test")) continue;
          if (form === "chat") examples[split]++;
          if (++written % 100 === 0)
            request.onProgress({
              stage: "Exporting",
              done: written,
              total: null,
              note: `${split}.${form}.jsonl`,
            });
          yield form === "chat" ? asChat(example) : { prompt: example.prompt, completion: example.completion };
        }
      };
      await writeJsonLines(join(request.folder, `${split}.${form}.jsonl`), rows());
    }
  }
  for (const name of TRAINER_FILES) {
    const template = await readFile(assetPath("training", name), "utf8");
    await writeWholeFile(join(request.folder, name), template.replaceAll("{{baseModel}}", request.baseModel));
  }
  return {
    books: {
      train: known.filter((book) => !test.has(book)).length,
      test: known.filter((book) => test.has(book)).length,
    },
    reviews: { given: places.length, kept: kept.size },
    examples,
    booksWithoutSummary: reviewed.length - known.length,
    booksWithExcerpts: excerpts.size,
  };
}

/** Read again for each file: prompts are long, and a hundred thousand of them would not fit into memory. */
async function* examplesOf(
  { reviews, signal }: ExportRequest,
  books: ReadonlyMap<string, ReviewedBookRow>,
  excerpts: ReadonlyMap<string, string>,
  normalise: (rating: { reviewer: string; rating: number }) => number,
  kept: ReadonlySet<number>,
): AsyncGenerator<TrainingExample & { readonly book: string }> {
  const { rubric, map } = await loadAspectTools();
  const reviewPrompt = await loadPrompt("novel-critique", "en");
  const scorePrompt = await loadPrompt("novel-critique-score", "en");
  let place = -1;
  for await (const review of jsonLines(reviews, structuredReviewSchema)) {
    place++;
    if (!kept.has(place)) continue;
    signal.throwIfAborted();
    const book = trainingBook(books.get(review.book)!, excerpts.get(review.book) ?? null);
    const made = trainingExamples(review, normalise(review), book, { rubric, map, reviewPrompt, scorePrompt });
    for (const example of made) yield { ...example, book: review.book };
  }
}

function trainingBook(
  { id, title, genres, premise, plot_summary, characters }: ReviewedBookRow,
  excerpts: string | null,
): TrainingBook {
  return {
    title: title ?? id,
    genres,
    premise: premise ?? null,
    plot: plot_summary ?? "",
    characters: characters ?? null,
    excerpts,
  };
}

function asChat({ prompt, completion }: TrainingExample) {
  return {
    messages: [
      { role: "user", content: prompt },
      { role: "assistant", content: completion },
    ],
  };
}

function limitPerBook<Row extends { readonly book: string }>(
  rows: readonly Row[],
  most: number | undefined,
): readonly Row[] {
  if (most === undefined) return rows;
  const counts = new Map<string, number>();
  return rows.filter(({ book }) => {
    const count = (counts.get(book) ?? 0) + 1;
    counts.set(book, count);
    return count <= most;
  });
}

/** The ids of the books that a file names, one per line, by id or title. A name that is no book is refused: it would be trained on. */
async function namedBooks(path: string, books: ReadonlyMap<string, ReviewedBookRow>): Promise<Set<string>> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new FabulaError("E_FILE_READ", `"${path}" could not be read: check the path given with --test-books.`, {
      cause,
    });
  });
  const byTitle = new Map([...books].map(([id, { title }]) => [folded(title ?? id), id]));
  const names = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return new Set(
    names.map((name) => {
      const id = books.has(name) ? name : byTitle.get(folded(name));
      if (id !== undefined) return id;
      throw new FabulaError(
        "E_BOOK_UNKNOWN",
        `"${path}" names "${name}", which is not one of the books: give ids or titles.`,
      );
    }),
  );
}

function folded(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * What a model is shown of each book word for word: the excerpts of its row, or else those that an evaluation of its text
 * would show, so that training looks like use.
 */
async function excerptsOf(
  ids: readonly string[],
  books: ReadonlyMap<string, ReviewedBookRow>,
  folder: string | undefined,
): Promise<Map<string, string>> {
  const files = folder === undefined ? [] : await readdir(folder).catch(() => unreadable(folder));
  const fileOf = new Map(files.map((file) => [parse(file).name, join(folder!, file)]));
  const excerpts = new Map<string, string>();
  for (const id of ids) {
    const given = books.get(id)?.excerpts;
    const file = fileOf.get(id);
    const text = given || (file === undefined ? "" : await excerptsOfFile(file));
    if (text !== "") excerpts.set(id, text);
  }
  return excerpts;
}

function unreadable(folder: string): never {
  throw new FabulaError(
    "E_FILE_READ",
    `"${folder}" is not a folder that can be read: check the path given with --texts.`,
  );
}

async function excerptsOfFile(file: string): Promise<string> {
  const book = await readBook(file);
  const distinctiveness = await distinctivePassages(book, new AbortController().signal);
  return excerptsText(chooseExcerpts(book, distinctiveness ? { measure: distinctiveness.measure } : {}), "en");
}
