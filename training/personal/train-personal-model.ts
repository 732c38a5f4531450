import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom } from "../../src/core/random.ts";
import { type ContentVector, Likeness, wordLikeness } from "../../src/reader/predictor/likeness.ts";
import type { PersonalModel } from "../../src/reader/predictor/personal-model.ts";
import { genreSimilarity } from "../../src/reader/predictor/story-space.ts";
import type { Centres, EarlierReview } from "../../src/reader/predictor/votes.ts";
import {
  chooseStoryWeights,
  fitStories,
  type RatedStory,
  type StoryAppeal,
  type StoryFit,
} from "./choose-story-weights.ts";
import { fitHead, type HeadExample } from "./fit-head.ts";
import { fitReviews, type ReviewFit } from "./fit-reviews.ts";
import { wholeDescriptionTrust } from "./fit-trust.ts";
import { capWeights, rowsByReader, type SampledPair, sampleTrainingPairs } from "./sample-histories.ts";
import type { ReviewTable } from "./training-data.ts";

/** Readers with fewer reviews are many but come once and leave; those who are asked about later have a history. */
const MINIMUM_REVIEWS = 4;
const PAIRS_PER_READER = 8;
/** So many reviews of a reader are used at most. */
export const LONGEST_HISTORY = 100;
const READER_FOLDS = 4;
/** With fewer reviews of books given up, their mean is not known well enough to be used. */
const FEWEST_GIVEN_UP = 30;

export interface TrainedPersonalModel {
  readonly model: PersonalModel;
  readonly reviewFit: ReviewFit;
  /** The rows of the table that were learnt from. */
  readonly rows: readonly number[];
  /** By book, each learnt from all the others of the part. */
  readonly forecasts: Float64Array;
  /** What regular readers make of each story of the part. */
  readonly appeal: StoryAppeal;
}

/** Everything is learnt from the given books and readers alone, so that a fold can be left out whole. */
export function trainPersonalModel(
  table: ReviewTable,
  part: { readonly books: (book: number) => boolean; readonly readers: (reader: number) => boolean },
  seed: number,
  onProgress: ProgressListener = () => {},
): TrainedPersonalModel {
  const random = seededRandom(seed);
  const bookNumbers = table.books.flatMap((_, book) => (part.books(book) ? [book] : []));
  const stories = bookNumbers.map((book) => table.books[book]!);
  const inPart = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => part.books(table.book[row]!) && part.readers(table.reader[row]!),
  );
  const rows = [...rowsByReader(table, inPart).values()].filter((group) => group.length >= 2).flat();
  const shrinkage = readerShrinkage(table, rows);

  onProgress({ stage: "stories", done: 0, total: 3 });
  const readerFolds = Array.from({ length: READER_FOLDS }, (_, fold) => {
    const theirs = rows.filter((row) => table.reader[row]! % READER_FOLDS === fold);
    return appealOf(table, theirs, bookNumbers, shrinkage);
  });
  const choice = chooseStoryWeights(stories, readerFolds);
  const storyFit = fitStories(stories, choice.weights);
  const forecasts = new Float64Array(table.books.length);
  bookNumbers.forEach((book, index) => {
    forecasts[book] = choice.forecasts[index]!;
  });
  const likeness = Likeness.fit(stories);

  onProgress({ stage: "reviews", done: 1, total: 3 });
  const reviewFit = fitReviews(table, rows, shrinkage);

  onProgress({ stage: "readers", done: 2, total: 3 });
  const pairs = sampleTrainingPairs(table, rows, {
    minimum: MINIMUM_REVIEWS,
    perReader: PAIRS_PER_READER,
    longest: LONGEST_HISTORY,
    random,
  });
  const forecast = (book: number) => forecasts[book]!;
  // The averages of a history are known to every second reader: a library's export has them, most other lists do not.
  const [known, unknown] = [true, false].map((isKnown) =>
    pastReader(table, likeness, reviewFit, forecast, () => isKnown),
  );
  const histories = pairs.map((pair) => (random() < 0.5 ? known! : unknown!)(pair));
  const centres = meanPast(histories.flat());
  const weights = capWeights(table, pairs);
  const examples = (expectation: (book: number) => number): HeadExample[] =>
    pairs.map(({ reader, query }, index) => ({
      reader,
      history: histories[index]!,
      expectation: expectation(table.book[query]!),
      rating: table.rating[query]!,
      weight: weights[index]!,
    }));
  const heads = {
    forecast: fitHead(
      examples((book) => forecasts[book]!),
      centres,
      shrinkage,
    ),
    average: fitHead(
      examples((book) => table.books[book]!.average_rating),
      centres,
      shrinkage,
    ),
  };
  const every = histories.flat();
  return {
    reviewFit,
    rows,
    forecasts,
    appeal: appealOf(table, rows, bookNumbers, shrinkage),
    model: {
      stories: storyFit.space,
      storyWeights: storyFit.weights,
      storyIntercept: storyFit.intercept,
      usualShares: usualShares(storyFit, stories),
      likeness,
      trust: wholeDescriptionTrust(stories, likeness),
      reviews: reviewFit.space,
      reviewWeights: reviewFit.weights,
      reviewIntercepts: reviewFit.intercepts,
      centres,
      shrinkage,
      fromStars: {
        generosity: line(every.map((past) => [past.rating, past.generosity])),
        sentiment: line(every.map((past) => [past.rating, past.sentiment])),
      },
      givenUp: givenUpReviews(table, rows, reviewFit),
      heads,
    },
  };
}

function usualShares({ space, weights }: StoryFit, stories: readonly RatedStory[]): number[] {
  const shares = stories.map((story) => space.shares(story, weights));
  return shares[0]!.map((_, block) => {
    const known = shares.flatMap((own) => own[block] ?? []);
    return known.reduce((sum, share) => sum + share, 0) / Math.max(1, known.length);
  });
}

/** What a book given up stands for: the mean of the reviews that say so, their words read by models that did not learn from them. */
function givenUpReviews(table: ReviewTable, rows: readonly number[], fit: ReviewFit): PersonalModel["givenUp"] {
  const given = rows.filter((row) => table.gaveUp[row]);
  if (given.length < FEWEST_GIVEN_UP) return null;
  const mean = (values: Float64Array) => given.reduce((sum, row) => sum + values[row]!, 0) / given.length;
  return {
    reviews: given.length,
    rating: mean(table.rating),
    generosity: mean(fit.generosity),
    sentiment: mean(fit.sentiment),
  };
}

/** From rows of the table to what votes see, with the forecasts given (cross-fitted in training, the model's in a test). */
export function pastReader(
  table: ReviewTable,
  likeness: Likeness,
  reviews: Pick<ReviewFit, "generosity" | "sentiment">,
  forecast: (book: number) => number,
  isAverageKnown: (book: number) => boolean = () => false,
): (pair: SampledPair) => EarlierReview[] {
  const contents = new Map<number, ContentVector>();
  const content = (book: number) => {
    const known = contents.get(book) ?? likeness.vector(table.books[book]!);
    contents.set(book, known);
    return known;
  };
  return ({ history, query }) => {
    const asked = table.book[query]!;
    return history.map((row) => {
      const book = table.book[row]!;
      return {
        rating: table.rating[row]!,
        generosity: reviews.generosity[row]!,
        sentiment: reviews.sentiment[row]!,
        expected: isAverageKnown(book) ? table.books[book]!.average_rating : forecast(book),
        average: isAverageKnown(book) ? table.books[book]!.average_rating : null,
        likeness: wordLikeness(content(book), content(asked)),
        kinship: genreSimilarity(table.books[book]!, table.books[asked]!),
      };
    });
  };
}

/** What regular readers gave each book, less how far each stands above everybody's averages elsewhere. */
function appealOf(
  table: ReviewTable,
  rows: readonly number[],
  books: readonly number[],
  shrinkage: number,
): StoryAppeal {
  const sums = new Float64Array(table.books.length);
  const readers = new Float64Array(table.books.length);
  for (const group of rowsByReader(table, rows).values()) {
    if (group.length < MINIMUM_REVIEWS) continue;
    const surprise = (row: number) => table.rating[row]! - table.books[table.book[row]!]!.average_rating;
    const total = group.reduce((sum, row) => sum + surprise(row), 0);
    for (const row of group) {
      const book = table.book[row]!;
      const level = (total - surprise(row)) / (group.length - 1 + shrinkage);
      sums[book] = sums[book]! + table.rating[row]! - level;
      readers[book]!++;
    }
  }
  return {
    value: Float64Array.from(books, (book) => (readers[book] ? sums[book]! / readers[book]! : 0)),
    readers: Float64Array.from(books, (book) => readers[book]!),
  };
}

/** λ = the variance of a reader's ratings around their own level over the variance of levels between readers. */
function readerShrinkage(table: ReviewTable, rows: readonly number[]): number {
  const groups = [...rowsByReader(table, rows).values()].filter((group) => group.length >= MINIMUM_REVIEWS);
  let within = 0;
  let noise = 0;
  const levels: number[] = [];
  for (const group of groups) {
    const surprises = group.map((row) => table.rating[row]! - table.books[table.book[row]!]!.average_rating);
    const level = surprises.reduce((sum, value) => sum + value, 0) / surprises.length;
    const variance = surprises.reduce((sum, value) => sum + (value - level) ** 2, 0) / (surprises.length - 1);
    within += variance / groups.length;
    noise += variance / surprises.length / groups.length;
    levels.push(level);
  }
  const middle = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  const between = levels.reduce((sum, level) => sum + (level - middle) ** 2, 0) / levels.length - noise;
  return between > 0 ? within / between : within * 100;
}

function meanPast(pasts: readonly EarlierReview[]): Centres {
  const mean = (key: keyof EarlierReview) => {
    const known = pasts.flatMap((past) => past[key] ?? []);
    return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  };
  return {
    rating: mean("rating"),
    generosity: mean("generosity"),
    sentiment: mean("sentiment"),
    expected: mean("expected"),
    likeness: mean("likeness"),
    kinship: mean("kinship"),
    average: mean("average"),
  };
}

/** Intercept and slope of the least-squares line. */
function line(points: readonly (readonly [number, number])[]): [number, number] {
  const x = points.reduce((sum, point) => sum + point[0], 0) / points.length;
  const y = points.reduce((sum, point) => sum + point[1], 0) / points.length;
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const variance = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  const slope = variance > 0 ? covariance / variance : 0;
  return [y - slope * x, slope];
}
