import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import type { Table } from "../../core/table/table.ts";
import { firstFew } from "../../core/wording.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { NOTHING_TO_SHOW } from "../../reader/evaluation/describe-history.ts";
import { reviewAs } from "../../reader/evaluation/personal-review.ts";
import { FIVE, TEN } from "../../reader/evaluation/score-scale.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { deviationOf, type Ranked, rankRated } from "../../reader/predictor/rank-stories.ts";
import type { Reason } from "../../reader/predictor/reasons.ts";
import { hasContent, type Story, storySchema } from "../../reader/predictor/story.ts";
import { MOST, tellingQuestions } from "../../reader/predictor/telling-questions.ts";
import { importBooks, importReviews, isDoneWith, isListOfBooks } from "../../reader/profile/import-reviews.ts";
import { thinProfileInWords } from "../../reader/profile/profile-depth.ts";
import { isOpinion, type ProfileReview, type ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome } from "../../runner/open-run.ts";
import { mean, standardDeviation, sumBy } from "../../stats/distribution.ts";
import { readBook } from "../../text/read-book.ts";
import { bookStory, labelledOutline, missingFrom, readStoryFile, withGivenDetails } from "../books/described-story.ts";
import { knownBooks } from "./reader-profiles.ts";
import { type ReviewSettings, refuseUnusable } from "./review.ts";

interface BookToRank {
  readonly file: string;
  readonly title: string;
  readonly story: Story;
  /** Which details the description lacks. */
  readonly missing: readonly string[];
}

interface UnrankedBook {
  readonly file: string;
  readonly reason: string;
}

/** A library export, in a format that `reader profile import` reads. */
const EXPORTS = new Set([".csv", ".tsv", ".jsonl", ".parquet"]);

interface Shelf {
  readonly profile: ReaderProfile;
  readonly books: BookToRank[];
  readonly unranked: UnrankedBook[];
  readonly alreadyRead?: number;
}

/**
 * What to rank and for whom: the books of a folder or of a table, the to-read shelf of a library export, or that of the
 * profile. An export has its own reader: without a profile, the rest of it is the history.
 */
async function shelfToRank(
  books: string | undefined,
  profile: ReaderProfile | undefined,
  known: string | undefined,
  scale: number | undefined,
  onProgress?: ProgressListener,
): Promise<Shelf> {
  const complete = await knownBooks(known);
  const reader = profile && { ...profile, reviews: profile.reviews.map(complete) };
  return completeShelf(books, reader, complete, scale, onProgress);
}

async function completeShelf(
  books: string | undefined,
  profile: ReaderProfile | undefined,
  complete: (book: ProfileReview) => ProfileReview,
  scale: number | undefined,
  onProgress?: ProgressListener,
): Promise<Shelf> {
  if (books !== undefined && EXPORTS.has(extname(books).toLowerCase())) {
    const table = await readTable(books);
    if (isListOfBooks(table)) {
      if (profile === undefined) {
        throw new FabulaError(
          "E_USAGE",
          `"${books}" lists books and no ratings or reviews: say for whom they are ranked, with --profile PROFILE.`,
        );
      }
      return { profile, ...listToRank(table, complete) };
    }
    const { reviews, toRead } = importReviews(table, scale);
    if (toRead.length === 0) {
      throw new FabulaError("E_BOOKS_MISSING", `"${books}" has no book on a to-read shelf: give a folder of books.`);
    }
    const reader = profile ?? { name: "you", language: "en", reviews: reviews.map(complete) };
    return { profile: reader, books: toRead.map((book) => listedBook(books, complete(book))), unranked: [] };
  }
  if (profile === undefined) {
    throw new FabulaError(
      "E_USAGE",
      "Say for whom: --profile PROFILE, or --books with the export of a Goodreads or StoryGraph library (.csv).",
    );
  }
  if (books !== undefined) {
    const folder = await booksToRank(books, onProgress);
    return { profile, ...folder, books: folder.books.map((book) => completedBook(book, complete)) };
  }
  if (!profile.toRead?.length) {
    throw new FabulaError(
      "E_BOOKS_MISSING",
      `The profile "${profile.name}" has no to-read shelf: import a library's export that has one, or give --books FOLDER.`,
    );
  }
  const shelf = profile.toRead.map((book) => listedBook(`the to-read shelf of ${profile.name}`, complete(book)));
  return { profile, books: shelf, unranked: [] };
}

/** The books of a list that the reader is not done with, and what was left out. */
function listToRank(table: Table, complete: (book: ProfileReview) => ProfileReview): Required<Omit<Shelf, "profile">> {
  const file = table.source;
  const listed = importBooks(table).map((book, at) => ({ book, row: at + 1, isDone: isDoneWith(table.rows[at]!) }));
  const open = listed.filter(({ isDone }) => !isDone);
  const alreadyRead = listed.length - open.length;
  const titled = open.filter(({ book }) => book.title !== undefined);
  const untitled = open.filter(({ book }) => book.title === undefined).map(({ row }) => row);
  if (titled.length === 0) {
    throw new FabulaError(
      "E_BOOKS_MISSING",
      `"${file}" has no book to rank: each was read or given up, or has no title. List books still to be read.`,
    );
  }
  const rows = `${untitled.length === 1 ? "row" : "rows"} ${firstFew(untitled, 10)} without a title.`;
  const unranked = untitled.length === 0 ? [] : [{ file, reason: rows }];
  return { books: titled.map(({ book }) => listedBook(file, complete(book))), unranked, alreadyRead };
}

function listedBook(file: string, book: ProfileReview): BookToRank {
  return { file, title: book.title ?? "untitled", story: storySchema.parse(book), missing: missingFrom(book) };
}

function completedBook(book: BookToRank, complete: (book: ProfileReview) => ProfileReview): BookToRank {
  const story = storySchema.parse(complete({ ...book.story }));
  return { ...book, story, missing: missingFrom(story) };
}

const BOOKS = new Set([".epub", ".txt", ".md", ".html", ".htm", ".docx", ".pdf"]);

const OUTLINES = new Set([".txt", ".md"]);

/**
 * The books of a folder. A book is known by the metadata in its file; a JSON file of the same name beside it
 * (`novel.epub`, `novel.json`) adds a plot summary, characters and genres. A JSON file without a book is a story of
 * its own.
 */
async function booksToRank(
  folder: string,
  onProgress?: ProgressListener,
): Promise<{ books: BookToRank[]; unranked: UnrankedBook[] }> {
  const books: BookToRank[] = [];
  const unranked: UnrankedBook[] = [];
  const files = await filesOf(folder);
  for (const [done, { file, details }] of files.entries()) {
    onProgress?.({ stage: "Reading", done, total: files.length });
    try {
      const story = await storyOf(file, details);
      books.push({ file, title: story.title ?? basename(file), story, missing: missingFrom(story) });
    } catch (cause) {
      if (!(cause instanceof FabulaError)) throw cause;
      unranked.push({ file, reason: cause.message });
    }
  }
  if (books.length + unranked.length === 0) {
    throw new FabulaError("E_BOOKS_MISSING", `"${folder}" holds no books: put EPUB, text or JSON files into it.`);
  }
  return { books, unranked };
}

async function filesOf(folder: string): Promise<{ file: string; details: string | null }[]> {
  let names: string[];
  try {
    names = (await readdir(folder)).sort();
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${folder}" is not a folder that can be read: check the path.`, { cause });
  }
  const stem = (name: string) => name.slice(0, name.length - extname(name).length);
  const endingOf = (name: string) => extname(name).toLowerCase();
  const books = names.filter((name) => BOOKS.has(endingOf(name)));
  const stems = new Set(books.map(stem));
  const descriptions = names.filter((name) => endingOf(name) === ".json");
  return [
    ...books.map((name) => {
      const details = descriptions.find((description) => stem(description) === stem(name));
      return { file: join(folder, name), details: details === undefined ? null : join(folder, details) };
    }),
    ...descriptions
      .filter((name) => !stems.has(stem(name)))
      .map((name) => ({ file: join(folder, name), details: null })),
  ];
}

async function storyOf(file: string, details: string | null): Promise<Story> {
  if (extname(file).toLowerCase() === ".json") return readStoryFile(file);
  const outline = OUTLINES.has(extname(file).toLowerCase()) ? await labelledOutline(file) : null;
  const story = outline ?? bookStory(await readBook(file));
  return details === null ? story : withGivenDetails(story, await readStoryFile(details));
}

interface Rated {
  readonly item: BookToRank;
  readonly rating: number;
  readonly deviation: number;
}

export interface BookRanking<Book extends Rated> {
  readonly reader: string;
  readonly ranked: readonly (Book & Ranked)[];
  readonly unranked: readonly UnrankedBook[];
  /** Books of a list that were not ranked because it says that they were read or given up. */
  readonly alreadyRead: number;
}

export interface PredictedBook extends Rated {
  readonly prediction: Extract<PersonalPrediction, { kind: "predicted" }>;
}

/** What a ranking is based on. */
export interface RankingBasis {
  /** Books with a known average of all readers, books whose average is forecast from a description, and the rest. */
  readonly averages: number;
  readonly forecasts: number;
  readonly unknown: number;
  /**
   * How much the ranked books differ by what readers in general give, and by the reader's own reviews: standard
   * deviations in stars.
   */
  readonly general: number;
  readonly own: number;
  /** How many more ratings would help; null when there are enough. */
  readonly thin: string | null;
}

export type PredictedRanking = BookRanking<PredictedBook> & { readonly basis: RankingBasis };

function basisOf(books: readonly PredictedBook[], profile: ReaderProfile): RankingBasis {
  const averages = books.filter(({ item }) => item.story.average_rating !== undefined).length;
  const described = books.filter(
    ({ item: { story } }) => story.average_rating === undefined && hasContent(story),
  ).length;
  const spread = (about: Reason["about"]) =>
    books.length < 2
      ? 0
      : standardDeviation(
          books.map(({ prediction }) => sumBy(prediction.why, (why) => (why.about === about ? why.effect : 0))),
        );
  return {
    averages,
    forecasts: described,
    unknown: books.length - averages - described,
    general: spread("story"),
    own: spread("history"),
    thin: thinProfileInWords(profile.reviews.filter(isOpinion).length),
  };
}

/** Ranks books by how much one reader would like them, with the embedded predictor. */
export async function rankBooks(
  from: string | undefined,
  reader: ReaderProfile | undefined,
  onProgress?: ProgressListener,
  known?: string,
  scale?: number,
): Promise<PredictedRanking> {
  const predict = personalPredictor(loadPersonalModel());
  const { profile, books, unranked, alreadyRead = 0 } = await shelfToRank(from, reader, known, scale, onProgress);
  const rated: PredictedBook[] = [];
  for (const item of books) {
    const prediction = predict({ history: profile.reviews, query: item.story });
    if (prediction.kind === "unscored") unranked.push({ file: item.file, reason: prediction.reason });
    else rated.push({ item, prediction, rating: prediction.rating, deviation: deviationOf(prediction) });
  }
  return { reader: profile.name, ranked: rankRated(rated), unranked, alreadyRead, basis: basisOf(rated, profile) };
}

export interface JudgedBook extends Rated {
  /** Over the orders of the history, 95 %; null with a single order. */
  readonly interval: readonly [number, number] | null;
  readonly scores: readonly number[];
  readonly review: string | null;
}

export type RankRequest = Omit<ReviewSettings, "probe" | "anonymise"> & {
  /** A folder or an export; by default the profile's to-read shelf. */
  readonly books: string | undefined;
  readonly profile: ReaderProfile | undefined;
  /** A table of books that supplies missing details of the books to rank and of the history. */
  readonly knownBooks?: string | undefined;
  /** The highest rating on the scale of an export that is ranked; 5 stars by default. */
  readonly ratingsScale?: number | undefined;
  /** Called while the books are read, before the first call. */
  readonly onProgress?: ProgressListener;
};

/**
 * Does the same with a language model in the role of the reader, asked about each book with the history in several
 * orders. The spread over orders, across all books, shows which books it cannot tell apart; with a single order that
 * is not known.
 */
export async function rankBooksByJudge(request: RankRequest): Promise<RunOutcome<BookRanking<JudgedBook>>> {
  const { orders, services } = request;
  const model = loadPersonalModel();
  return inRun(request.settings, services, async (run) => {
    const {
      profile,
      books,
      unranked,
      alreadyRead = 0,
    } = await shelfToRank(request.books, request.profile, request.knownBooks, request.ratingsScale, request.onProgress);
    const judge = await run.model(request.judge);
    const options = {
      count: request.count,
      withWords: request.withWords,
      orders,
      temperature: request.temperature,
      scale: request.scale === 10 ? TEN : FIVE,
      language: promptLanguage(profile.language),
      reviewLanguage: profile.language,
    };
    const reviews = await mapBounded(books, run.concurrency, (item) =>
      // Every book is asked about with the same orders.
      reviewAs(judge, model, profile.reviews, item.story, { ...options, random: seededRandom(1) }, services.signal),
    );
    const variances = reviews.flatMap(({ spread }) => spread.standardDeviation ?? []).map((one) => one ** 2);
    const variance = variances.length === 0 ? 0 : mean(variances);
    const rated = reviews.flatMap(({ spread: { verdict, scores }, orders: asked }, index): JudgedBook[] => {
      const item = books[index]!;
      if (verdict.kind === "unscored") {
        unranked.push({ file: item.file, reason: verdict.reason });
        return [];
      }
      const review = asked.find((order) => order.review !== null)?.review ?? null;
      const deviation = Math.sqrt(variance / scores.length);
      return [{ item, rating: verdict.score, deviation, interval: verdict.interval ?? null, scores, review }];
    });
    if (!run.dryRun) {
      const reasons = reviews.flatMap(({ spread: { verdict } }) =>
        verdict.kind === "unscored" ? [verdict.reason] : [],
      );
      const replies = reasons.filter((reason) => reason !== NOTHING_TO_SHOW);
      refuseUnusable(rated.length, rated.length + replies.length, countBy(replies), "book");
    }
    return { reader: profile.name, ranked: rankRated(rated), unranked, alreadyRead };
  });
}

export interface ReaderQuestions {
  readonly reader: string;
  /** The stories whose ratings the answers should help to predict. */
  readonly about: "the to-read shelf" | "the other unrated books";
  /** How many books could have been asked about. */
  readonly candidates: number;
  /** Books that were not considered, because the number is limited. */
  readonly passedOver: number;
  readonly questions: readonly {
    readonly title: string;
    readonly author: string | null;
    /**
     * How much of the uncertainty about the reader's ratings of those stories this rating would remove, from 0 to 1.
     */
    readonly settles: number;
    readonly near: readonly string[];
  }[];
}

/** "Rate these five": among the books that a reader has read but not rated, those whose ratings would teach most. */
export async function readerQuestions(
  file: string | undefined,
  profile: ReaderProfile | undefined,
  count: number,
  scale?: number,
): Promise<ReaderQuestions> {
  const imported = file === undefined ? null : importReviews(await readTable(file), scale);
  if (imported === null && profile === undefined) {
    throw new FabulaError(
      "E_USAGE",
      "Say for whom: --profile PROFILE, or --books with the export of a Goodreads or StoryGraph library (.csv).",
    );
  }
  const unrated = imported?.unrated ?? profile?.unrated ?? [];
  if (unrated.length === 0) {
    throw new FabulaError(
      "E_BOOKS_MISSING",
      `${file === undefined ? `The profile "${profile!.name}"` : `"${file}"`} has no book that was read and not rated: rate a book from the to-read shelf once it is read.`,
    );
  }
  const toRead = imported?.toRead ?? profile?.toRead ?? [];
  const wanted = toRead.length > 0 ? toRead : unrated;
  const questions = tellingQuestions(
    loadPersonalModel(),
    { rated: newestLast(profile?.reviews ?? imported?.reviews ?? []), candidates: unrated, wanted },
    count,
  );
  const named = ({ title }: ProfileReview) => title ?? "untitled";
  return {
    reader: profile?.name ?? "you",
    about: toRead.length > 0 ? "the to-read shelf" : "the other unrated books",
    candidates: Math.min(unrated.length, MOST.candidates),
    passedOver: Math.max(0, unrated.length - MOST.candidates),
    questions: questions.map(({ candidate, settles, near }) => {
      const book = unrated[candidate]!;
      const others = near.map((at) => wanted[at]!).filter((other) => other !== book);
      return { title: named(book), author: book.author ?? null, settles, near: others.map(named) };
    }),
  };
}

/**
 * Sorts oldest first. Goodreads exports the newest first, StoryGraph in the reader's own order; a review without a
 * date is taken to be old.
 */
function newestLast(reviews: readonly ProfileReview[]): ProfileReview[] {
  return [...reviews].sort((left, right) => (left.date ?? "").localeCompare(right.date ?? ""));
}
