import { readdir, readFile } from "node:fs/promises";
import { join, parse, resolve } from "node:path";
import { assetPath } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { openingOfOneChapter } from "../../judge/material.ts";
import { loadReviewForm, type ReviewForm, type ShownStory } from "../../judge/novelcritique/review-layout.ts";
import type { ChatMessage } from "../../models/chat-model.ts";
import { ownPrompts, shippedPrompts } from "../../prompts/own-prompts.ts";
import type { AspectMapper } from "../../reviews/map-aspect.ts";
import { mitigate } from "../../reviews/mitigation.ts";
import {
  equationOne,
  learnRatingScale,
  type Rating,
  type RatingRule,
  readersOf,
} from "../../reviews/normalise-ratings.ts";
import { type StructuredReview, structuredReviewSchema } from "../../reviews/structure-review.ts";
import { readBook } from "../../text/read-book.ts";
import { readerSchema } from "./prepare-reviews.ts";
import { loadAspectTools, type ReviewedBookRow, readReviewedBooks, starCounts } from "./review-pairs.ts";
import { platformOf } from "./review-report.ts";

export interface ExportRequest {
  readonly reviews: string;
  readonly books: string;
  readonly folder: string;
  /** Share of the books whose reviews are kept for testing, unless `testBooks` names them. */
  readonly testShare: number;
  /** A file of the books to keep out of training, an id or a title per line. */
  readonly testBooks?: string;
  /** A folder of the books' texts, named by id. Excerpts are taken from them, as when a book is judged. */
  readonly texts?: string;
  /**
   * A checkout of NovelCritique's release, or a folder of prompts, whose form the examples get; Fabula's own by
   * default.
   */
  readonly prompts?: string;
  /** Equation 1 with each reader's habits shrunk towards the platform's, or as printed. */
  readonly ratings: RatingRule;
  /**
   * With `printed`: JSONL of readers' means and deviations over everything they rated; by default computed from the
   * reviews.
   */
  readonly readers?: string;
  /** At most this many reviews of one book; by default all that sampling keeps. */
  readonly perBook?: number;
  readonly baseModel: string;
  readonly seed: number;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

export interface ExportReport {
  readonly books: { readonly train: number; readonly test: number };
  /** `unnormalised` counts the reviews of readers for whom Equation 1 as printed is undefined; these are left out. */
  readonly reviews: { readonly given: number; readonly kept: number; readonly unnormalised: number };
  readonly examples: { readonly train: number; readonly test: number };
  /** Books with reviews but without a plot summary, or without any entry. */
  readonly booksWithoutSummary: number;
  /**
   * Books whose examples show excerpts. A judge trained without excerpts would see them for the first time when it is
   * used.
   */
  readonly booksWithExcerpts: number;
}

const TRAINER_FILES = ["llama-factory.yaml", "axolotl.yaml", "dataset_info.json", "recipe.sh"];

/**
 * Makes everything needed for training from reviews and their books: examples in chat and in prompt/completion form,
 * split by book, sampled against review bias, with normalised scores, and configurations for two trainers.
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
  const normalise = await normaliserOf(request, places, platformOf(ratings.values()));
  const random = seededRandom(request.seed);
  const sampled = limitPerBook(shuffled(mitigate(places, ratings, random).kept, random), request.perBook);
  const usable = new Set([...books].filter(([, { plot_summary }]) => plot_summary).map(([id]) => id));
  const shown = sampled.filter(({ book }) => usable.has(book));
  const kept = new Set(shown.filter((rating) => normalise(rating) !== null).map(({ place }) => place));
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
        for await (const example of examplesOf(request, books, excerpts, normalise, kept)) {
          if (test.has(example.book) !== (split === "test")) continue;
          if (form === "chat") examples[split]++;
          if (++written % 100 === 0)
            request.onProgress({
              stage: "Exporting",
              done: written,
              total: null,
              note: `${split}.${form}.jsonl`,
            });
          yield form === "chat" ? asChat(example) : asCompletion(example);
        }
      };
      await writeJsonLines(join(request.folder, `${split}.${form}.jsonl`), rows());
    }
  }
  for (const name of TRAINER_FILES) {
    const template = await readFile(assetPath("training", name), "utf8");
    const prompts = request.prompts === undefined ? "" : ` --prompts '${resolve(request.prompts)}'`;
    const text = template.replaceAll("{{baseModel}}", request.baseModel).replaceAll("{{prompts}}", prompts);
    await writeWholeFile(join(request.folder, name), text);
  }
  // The prompt that the trained model is asked with, including excerpts if its training shows them.
  await writeJsonLines(
    join(request.folder, "test-books.jsonl"),
    known
      .filter((book) => test.has(book))
      .map((book) => ({ ...books.get(book)!, excerpts: excerpts.get(book) ?? null })),
  );
  return {
    books: {
      train: known.filter((book) => !test.has(book)).length,
      test: known.filter((book) => test.has(book)).length,
    },
    reviews: { given: places.length, kept: kept.size, unnormalised: shown.length - kept.size },
    examples,
    booksWithoutSummary: reviewed.length - known.length,
    booksWithExcerpts: excerpts.size,
  };
}

async function normaliserOf(
  { ratings: rule, readers }: ExportRequest,
  ratings: readonly Rating[],
  platform: ReturnType<typeof platformOf>,
): Promise<(rating: Rating) => number | null> {
  if (rule === "shrunk") return learnRatingScale(ratings, platform).normalise;
  const known = readers === undefined ? readersOf(ratings) : new Map(await readJsonLines(readers, readerSchema));
  return equationOne(known, platform);
}

/** Reads the rows again for each file, because a hundred thousand long prompts would not fit into memory. */
async function* examplesOf(
  { reviews, prompts, signal }: ExportRequest,
  books: ReadonlyMap<string, ReviewedBookRow>,
  excerpts: ReadonlyMap<string, string>,
  normalise: (rating: Rating) => number | null,
  kept: ReadonlySet<number>,
): AsyncGenerator<TrainingExample & { readonly book: string }> {
  const { rubric, map } = await loadAspectTools();
  const form = await loadReviewForm(prompts === undefined ? shippedPrompts : ownPrompts(prompts));
  let place = -1;
  for await (const review of jsonLines(reviews, structuredReviewSchema)) {
    place++;
    if (!kept.has(place)) continue;
    signal.throwIfAborted();
    const story = shownStory(books.get(review.book)!, excerpts.get(review.book) ?? null);
    const example = trainingExample(review, normalise(review)!, story, { rubric, map, form });
    if (example) yield { ...example, book: review.book };
  }
}

function shownStory(
  { id, title, genres, premise, plot_summary, characters }: ReviewedBookRow,
  excerpt: string | null,
): ShownStory {
  return {
    title: title ?? id,
    genres,
    premise: premise ?? null,
    plot: plot_summary ?? "",
    characters: characters ?? null,
    excerpt,
  };
}

function asChat({ messages, completion }: TrainingExample) {
  return { messages: [...messages, { role: "assistant", content: completion }] };
}

/** Only the question: a trainer that takes pairs has no place for the system message, and its template adds its own. */
function asCompletion({ messages, completion }: TrainingExample) {
  return { prompt: messages.at(-1)!.content, completion };
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

/**
 * The ids of the books that a file names, one per line, by id or title. An unknown name is refused, because the book
 * it means would otherwise be trained on.
 */
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
 * What a model is shown of each book verbatim: the excerpts of its row, or else those that an evaluation of its text
 * would show, so that training matches use.
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
  return openingOfOneChapter(await readBook(file))
    .map(({ text }) => text)
    .join("\n");
}

/** A prompt and the answer to learn. */
interface TrainingExample {
  readonly messages: readonly ChatMessage[];
  readonly completion: string;
}

interface ExampleMaker {
  readonly rubric: Rubric;
  readonly map: AspectMapper;
  /** The exact form that the protocol uses. */
  readonly form: ReviewForm;
}

/**
 * One review as prompt and answer: the book's material and the aspects the reader discussed → critiques, assessment,
 * score. A review of a single aspect is what teaches the model to score that aspect. Null for a review without a
 * verdict or a known aspect, since it teaches nothing.
 */
function trainingExample(
  review: StructuredReview,
  score: number,
  story: ShownStory,
  { rubric, map, form }: ExampleMaker,
): TrainingExample | null {
  const { critiques, spokenOf } = critiquesByAspect(review, rubric, map);
  if (spokenOf.length === 0 || review.conclusion.trim() === "") return null;
  const given = Math.round(Math.min(Math.max(score, 1), 5) * 10) / 10;
  return {
    messages: form.question(story, spokenOf),
    completion: form.answer({ aspects: critiques, assessment: review.conclusion, score: given }, spokenOf),
  };
}

/** Critiques by aspect, and the aspects in the rubric's order. */
function critiquesByAspect(
  review: StructuredReview,
  rubric: Rubric,
  map: AspectMapper,
): { readonly critiques: Record<string, string>; readonly spokenOf: Criterion[] } {
  const gathered = new Map<string, string[]>();
  for (const [name, critique] of Object.entries(review.aspects)) {
    const place = map(name);
    if (place.kind !== "aspect" || critique.trim() === "") continue;
    gathered.set(place.aspect, [...(gathered.get(place.aspect) ?? []), critique.trim()]);
  }
  const spokenOf = rubric.criteria.filter(({ id }) => gathered.has(id));
  return { critiques: Object.fromEntries(spokenOf.map(({ id }) => [id, gathered.get(id)!.join(" ")])), spokenOf };
}
