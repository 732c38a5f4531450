import { z } from "zod";
import { contentHash } from "../../src/core/hash.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { seededRandom, shuffled } from "../../src/core/random.ts";
import { audienceOf } from "../../src/forecast/calibration.ts";
import { FIELDS, forecastInputSchema } from "../../src/forecast/forecast-input.ts";
import type { ForecastModel } from "../../src/forecast/forecast-model.ts";
import type { AspectMapper } from "../../src/reviews/map-aspect.ts";
import type { StructuredReview } from "../../src/reviews/structure-review.ts";
import { fitRidge, quantiles } from "../../src/stats/index.ts";
import { crossValidate, type DesignChoice, type OutOfFold, selectDesign } from "./cross-validation.ts";
import { blockReader, learn, type Target } from "./learn.ts";
import { authorShare, calibrateAll, sums } from "./measure-forecast.ts";

/** A book with fewer critiques of an aspect has no measured appeal in it. */
const FEWEST_CRITIQUES = 5;
/** An aspect measured on fewer books than this is not forecast. */
const FEWEST_BOOKS = 40;
/** Enough to learn the tone of critiques from; more costs time and changes nothing. */
const LESSONS = 60_000;

interface Critique extends RatedCritique {
  readonly book: number;
  readonly aspect: string;
}

/**
 * How readers speak of each aspect of each book, on the scale of stars: the mean over its critiques of the rating that
 * readers give who write of an aspect in such words. The reader's own rating does not enter, so that a book loved for its
 * plot can be weak in its characters. A book's critiques are read by a model that learnt from other books' alone.
 * Aspects that too few books are measured in are left out.
 */
function measureAppeal(
  books: readonly string[],
  reviews: readonly StructuredReview[],
  aspects: readonly string[],
  map: AspectMapper,
): Map<string, Target> {
  const critiques = critiquesOf(books, reviews, map);
  const measurable = aspects.filter((aspect) => {
    const counts = new Uint32Array(books.length);
    for (const critique of critiques) if (critique.aspect === aspect) counts[critique.book]!++;
    return counts.filter((count) => count >= FEWEST_CRITIQUES).length >= FEWEST_BOOKS;
  });
  if (measurable.length === 0) return new Map();
  const order = shuffled([...books.keys()], seededRandom(7));
  const half = new Uint8Array(books.length);
  order.forEach((book, position) => {
    half[book] = position % 2;
  });
  const readers = [0, 1].map((own) => toneOf(critiques.filter(({ book }) => half[book] !== own)));
  const measured = measurable.map((aspect): [string, Target] => {
    const scores: number[][] = books.map(() => []);
    for (const critique of critiques) {
      if (critique.aspect === aspect) scores[critique.book]!.push(readers[half[critique.book]!]!(critique.text));
    }
    return [aspect, target(scores)];
  });
  return new Map(measured);
}

function critiquesOf(books: readonly string[], reviews: readonly StructuredReview[], map: AspectMapper): Critique[] {
  const positions = new Map(books.map((id, position) => [id, position]));
  return reviews.flatMap(({ book: id, rating, aspects }) => {
    const book = positions.get(id);
    if (book === undefined) return [];
    return Object.entries(aspects).flatMap(([name, text]) => {
      const place = map(name);
      return place.kind === "aspect" ? [{ book, aspect: place.aspect, text, rating }] : [];
    });
  });
}

function toneOf(critiques: readonly RatedCritique[]): ToneReader {
  return learnTone(shuffled(critiques, seededRandom(11)).slice(0, LESSONS));
}

/** Each book's mean, with the variance of that mean: a book with ten critiques is less certain than one with a thousand. */
function target(scores: readonly (readonly number[])[]): Target {
  const means = scores.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const pooled = scores.map((values, book) => values.reduce((sum, value) => sum + (value - means[book]!) ** 2, 0));
  const freedom = scores.reduce((sum, values) => sum + Math.max(values.length - 1, 0), 0);
  const within = pooled.reduce((sum, value) => sum + value, 0) / Math.max(freedom, 1);
  const enough = (book: number) => scores[book]!.length >= FEWEST_CRITIQUES;
  return {
    values: Float64Array.from(means, (mean, book) => (enough(book) ? mean : Number.NaN)),
    variance: Float64Array.from(scores, ({ length }, book) => (enough(book) ? within / length : 0)),
  };
}

export const ratedBookSchema = forecastInputSchema.extend({
  id: z.string().min(1),
  author: z.string().nullish(),
  average_rating: z.number().min(1).max(5),
  /** How many readers gave five stars, four, … one. */
  ratings_5_to_1: z.array(z.number().nonnegative()).length(5),
});
export type RatedBook = z.output<typeof ratedBookSchema>;

export interface TrainingData {
  readonly books: readonly RatedBook[];
  readonly reviews: readonly StructuredReview[];
  readonly aspects: readonly string[];
  readonly map: AspectMapper;
}

export interface TrainedForecast {
  readonly model: ForecastModel;
  readonly unseen: OutOfFold;
  readonly targets: readonly [Target, ...Target[]];
  readonly choice: DesignChoice;
}

const FOLDS = 10;

export function trainForecast(
  { books, reviews, aspects, map }: TrainingData,
  options: { readonly seed: number; readonly onProgress: ProgressListener },
): TrainedForecast {
  const progress = (done: number, note: string) =>
    options.onProgress({ stage: "Training", done, total: FOLDS + 3, note });
  progress(0, "measuring how readers speak of each aspect");
  const ids = books.map(({ id }) => id);
  const appeal = measureAppeal(ids, reviews, aspects, map);
  const targets: [Target, ...Target[]] = [ratingTarget(books), ...appeal.values()];
  progress(1, "cross-validation");
  const unseen = crossValidate(books, targets, {
    folds: FOLDS,
    random: seededRandom(options.seed),
    onFold: (done) => progress(done + 1, "cross-validation"),
  });
  progress(FOLDS + 1, "choosing the design by the same rule on all books");
  const blockOf = blockReader(books);
  const choice = selectDesign(blockOf, targets[0]);
  const linear = learn(blockOf, choice.design, targets);
  progress(FOLDS + 3, "done");
  const model: ForecastModel = {
    ...linear,
    names: ["rating", ...appeal.keys()],
    calibration: calibrateAll(unseen, targets, audiencesOf(books)),
    authorShare: authorShare(
      sums(unseen, FIELDS, 0),
      targets[0].values,
      books.map(({ author }) => author),
    ).share,
    percentiles: targets.map(({ values }) => percentilesOf(values)),
    training: {
      books: books.length,
      reviews: reviews.length,
      dataHash: contentHash(books),
      design: choice.design,
    },
  };
  return { model, unseen, targets, choice };
}

/** The size of each book's audience, by how many readers rated it. */
export function audiencesOf(books: readonly Pick<RatedBook, "ratings_5_to_1">[]): number[] {
  return books.map(({ ratings_5_to_1: stars }) => audienceOf(stars.reduce((total, count) => total + count, 0)));
}

/** Average ratings; the average of few ratings is a less certain measurement than that of many. */
export function ratingTarget(books: readonly RatedBook[]): Target {
  const variance = books.map(({ ratings_5_to_1: stars, average_rating: mean }) => {
    const count = stars.reduce((sum, value) => sum + value, 0);
    if (count === 0) return 1;
    return stars.reduce((sum, value, place) => sum + value * (5 - place - mean) ** 2, 0) / count ** 2;
  });
  return {
    values: Float64Array.from(books, ({ average_rating }) => average_rating),
    variance: Float64Array.from(variance),
  };
}

function percentilesOf(values: Float64Array): number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  return quantiles(
    known,
    Array.from({ length: 101 }, (_, mark) => mark / 100),
  );
}

/** A critique with the stars its reader gave the book. */
interface RatedCritique {
  readonly text: string;
  readonly rating: number;
}

/** The rating that readers give who write of an aspect as this critique does. */
type ToneReader = (critique: string) => number;

const FEWEST_WITH_TONE = 12;
const PENALTY = 1;

/**
 * Learns what words on an aspect go with which stars: a ridge regression from the words and pairs of words of a critique to
 * the rating of the review it stands in.
 */
export function learnTone(critiques: readonly RatedCritique[]): ToneReader {
  const vocabulary = frequentTerms(critiques);
  const offsets = new Uint32Array(critiques.length + 1);
  const indices: number[] = [];
  const values: number[] = [];
  critiques.forEach(({ text }, row) => {
    const terms = knownTerms(text, vocabulary);
    const value = 1 / Math.sqrt(terms.length || 1);
    for (const term of terms) {
      indices.push(term);
      values.push(value);
    }
    offsets[row + 1] = indices.length;
  });
  const matrix = {
    rows: critiques.length,
    columns: vocabulary.size,
    offsets,
    indices: Uint32Array.from(indices),
    values: Float32Array.from(values),
  };
  const { weights, intercepts } = fitRidge(
    matrix,
    Float64Array.from(critiques, ({ rating }) => rating),
    1,
    { penalty: PENALTY, tolerance: 1e-3, maximumIterations: 60 },
  );
  return (critique) => {
    const terms = knownTerms(critique, vocabulary);
    const sum = terms.reduce((total, term) => total + weights[term]!, 0);
    return intercepts[0]! + sum / Math.sqrt(terms.length || 1);
  };
}

function frequentTerms(critiques: readonly RatedCritique[]): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const { text } of critiques) {
    for (const term of new Set(termsOf(text))) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const frequent = [...frequency].filter(([, count]) => count >= FEWEST_WITH_TONE).map(([term]) => term);
  return new Map(frequent.sort().map((term, position) => [term, position]));
}

function knownTerms(text: string, vocabulary: ReadonlyMap<string, number>): number[] {
  const positions = new Set<number>();
  for (const term of termsOf(text)) {
    const position = vocabulary.get(term);
    if (position !== undefined) positions.add(position);
  }
  return [...positions];
}

/** Words and pairs of neighbours: "not" alone says little, "not believable" says much. */
function termsOf(text: string): string[] {
  const words =
    text
      .replaceAll("’", "'")
      .toLowerCase()
      .match(/[\p{L}']+/gu) ?? [];
  return [...words, ...words.slice(1).map((word, position) => `${words[position]} ${word}`)];
}
