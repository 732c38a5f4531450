import { readFile } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { loadForecaster } from "../../forecast/load-forecaster.ts";
import { meanOfHistory } from "../../reader/baselines.ts";
import { givenUpStars } from "../../reader/predictor/personal-model.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import type { PastReview } from "../../reader/predictor/story.ts";
import { importBooks, importReviews } from "../../reader/profile/import-reviews.ts";
import { pastComparisonSchema } from "../../reader/profile/past-comparison.ts";
import { thinProfileInWords } from "../../reader/profile/profile-depth.ts";
import { ProfileFiles, parseProfile } from "../../reader/profile/profile-files.ts";
import {
  completedFrom,
  isOpinion,
  type ProfileReview,
  profileName,
  type ReaderProfile,
  withoutRepeats,
  withoutReviewed,
} from "../../reader/profile/reader-profile.ts";
import { type Drift, levelDrift, readerTaste, type Taste } from "../../reader/profile/taste.ts";
import { loadAspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { generalRating } from "./general-rating.ts";

export interface ImportProfileRequest {
  readonly name: string;
  readonly input: string;
  readonly folder: string;
  /**
   * The highest rating on the source's scale. Exports of Goodreads and StoryGraph state their own; otherwise 5 stars.
   */
  readonly scale?: number;
  readonly language?: string;
  /** Earlier choices between two stories, as JSONL: left, right, preferred (by aspect). */
  readonly comparisons?: string;
  /** A table of books that supplies what the file lacks: averages, genres, descriptions. */
  readonly knownBooks?: string;
}

export interface ImportProfileReport {
  readonly name: string;
  readonly source: string;
  /** Rows with stars or words, including repeats of a book. */
  readonly imported: number;
  readonly without: number;
  readonly repeats: number;
  readonly reviews: number;
  /** Books on the to-read shelf of the file. */
  readonly toRead: number;
  readonly comparisons: number;
}

/**
 * Makes a profile from a file of reviews, or adds to one. A book that is already in it counts once, with its latest
 * review.
 */
export async function importProfile(request: ImportProfileRequest): Promise<ImportProfileReport> {
  const profiles = new ProfileFiles(request.folder);
  const before = await profiles.find(request.name);
  const name = before?.name ?? profileName(request.name);
  const imported = importReviews(await readTable(request.input), request.scale);
  const complete = await knownBooks(request.knownBooks);
  const { kept, repeats } = withoutRepeats([...(before?.reviews ?? []), ...imported.reviews].map(complete));
  const language = request.language ?? before?.language ?? "en";
  const comparisons = eachOnce([
    ...(before?.comparisons ?? []),
    ...(request.comparisons === undefined ? [] : await readJsonLines(request.comparisons, pastComparisonSchema)),
  ]);
  // The newest export says what is still to be read; a table of reviews only says what no longer is.
  const shelfOf = (now: readonly ProfileReview[], then: readonly ProfileReview[] = []) =>
    (imported.isLibrary || now.length > 0 ? [...now] : withoutReviewed(then, imported.reviews)).map(complete);
  const toRead = shelfOf(imported.toRead, before?.toRead);
  const unrated = shelfOf(imported.unrated, before?.unrated);
  const shelf = {
    ...(toRead.length > 0 && { toRead }),
    ...(unrated.length > 0 && { unrated }),
  };
  await profiles.save({ name, language, reviews: kept, ...shelf, ...(comparisons.length > 0 && { comparisons }) });
  return {
    name,
    source: imported.source,
    imported: imported.reviews.length + imported.repeats,
    without: imported.without,
    repeats: imported.repeats + repeats,
    reviews: kept.length,
    toRead: toRead.length,
    comparisons: comparisons.length,
  };
}

/** Adds the details of a table of books to a book; none if no table is given. */
export async function knownBooks(path: string | undefined): Promise<(book: ProfileReview) => ProfileReview> {
  return path === undefined ? (book) => book : completedFrom(importBooks(await readTable(path)));
}

/** The same file may be imported twice. */
function eachOnce<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** A profile by its name, or from a `.json` file. */
export async function openProfile(nameOrPath: string, folder: string): Promise<ReaderProfile> {
  if (!/[./\\]/.test(nameOrPath)) return new ProfileFiles(folder).load(nameOrPath);
  let source: string;
  try {
    source = await readFile(nameOrPath, "utf8");
  } catch (cause) {
    const message = `"${nameOrPath}" could not be read: check the path, or give the name of a profile (\`fabula reader profile list\`).`;
    throw new FabulaError("E_PROFILE_MISSING", message, { cause });
  }
  return parseProfile(source, nameOrPath);
}

export function listProfiles(folder: string): Promise<ReaderProfile[]> {
  return new ProfileFiles(folder).list();
}

/** Writes the reviews, one per line, in a form that `fabula reader profile import` reads. */
export async function exportProfile(name: string, folder: string, output: string): Promise<number> {
  const { reviews } = await new ProfileFiles(folder).load(name);
  await writeJsonLines(output, reviews);
  return reviews.length;
}

export function deleteProfile(name: string, folder: string): Promise<void> {
  return new ProfileFiles(folder).delete(name);
}

export interface ProfileDescription {
  readonly name: string;
  readonly language: string;
  readonly reviews: number;
  readonly withWords: number;
  /** Books that were started and abandoned. */
  readonly givenUp: number;
  readonly toRead: number;
  readonly meanRating: number | null;
  /** Mean of the ratings minus what readers in general give the same stories: known averages, otherwise forecasts. */
  readonly generosity: number | null;
  /** How many stories have stars, for how many of these it is known or forecast what readers in general give, and for how many it is known. */
  readonly rated: number;
  readonly compared: number;
  readonly averages: number;
  /** How the reader's ratings moved over time; null if there are no dates to show it. */
  readonly drift: Drift | null;
  /** Genres rated at least twice, most often first. */
  readonly genres: readonly { readonly genre: string; readonly count: number; readonly mean: number }[];
  /** What the reader rates higher and lower than other books of the reader's, with the reviews behind it. */
  readonly taste: Taste;
  /** How many more ratings would help; null when there are enough. */
  readonly thin: string | null;
}

const GENRES_SHOWN = 8;

export async function describeProfile(nameOrPath: string, folder: string): Promise<ProfileDescription> {
  const { name, language, reviews, toRead } = await openProfile(nameOrPath, folder);
  const forecast = loadForecaster({ reasons: 0 });
  const others = new Map<PastReview, number | undefined>(
    reviews.map((review) => [review, generalRating(review, forecast)?.rating]),
  );
  const othersOf = (review: PastReview) => others.get(review) ?? null;
  const rated = reviews.filter((review) => review.rating !== undefined);
  const surprises = rated.flatMap((review) => {
    const others = othersOf(review);
    return others === null ? [] : [review.rating! - others];
  });
  const [vocabulary, rubric] = await Promise.all([loadAspectVocabulary(), loadRubric("long-story")]);
  const criterion = (id: string) => rubric.criteria.find((one) => one.id === id);
  const topOf = (id: string) => {
    const top = criterion(id)?.parent ?? id;
    return criterion(top)?.name ?? top;
  };
  const byGenre = new Map<string, number[]>();
  for (const { genres, rating } of rated) {
    for (const genre of genres) byGenre.set(genre, [...(byGenre.get(genre) ?? []), rating!]);
  }
  return {
    name,
    language,
    reviews: reviews.length,
    withWords: reviews.filter(({ review }) => review).length,
    givenUp: reviews.filter(({ status }) => status === "did-not-finish").length,
    toRead: toRead?.length ?? 0,
    meanRating: meanOfHistory(rated.map(({ rating }) => rating!)),
    generosity: meanOfHistory(surprises),
    rated: rated.length,
    compared: surprises.length,
    averages: rated.filter(({ average_rating }) => average_rating !== undefined).length,
    drift: levelDrift(reviews, othersOf),
    genres: [...byGenre]
      .filter(([, ratings]) => ratings.length >= 2)
      .map(([genre, ratings]) => ({ genre, count: ratings.length, mean: meanOfHistory(ratings)! }))
      .sort((left, right) => right.count - left.count || left.genre.localeCompare(right.genre))
      .slice(0, GENRES_SHOWN),
    taste: readerTaste(
      reviews,
      { othersOf, givenUpStars: givenUpStars(loadPersonalModel()) },
      vocabulary,
      topOf,
      seededRandom(1),
    ),
    thin: thinProfileInWords(reviews.filter(isOpinion).length),
  };
}
