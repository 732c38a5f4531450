import { mean, sum } from "../stats/distribution.ts";
import { audienceOf, type Calibration, subsetKey } from "./calibration.ts";
import { explain, type Reason } from "./explain.ts";
import { wordsIn } from "./field-encoder.ts";
import { FIELDS, type Field, type ForecastInput, forecastInputSchema, type KnownBook } from "./forecast-input.ts";
import type { ForecastModel } from "./forecast-model.ts";
import { modelReader } from "./linear-model.ts";

/** How readers are likely to rate a book, from what is known before they have read it. */
export interface Forecast {
  readonly kind: "forecast";
  /** The average rating expected, 1–5. */
  readonly rating: number;
  /** Nine books in ten fall into such an interval; of books with such an audience, where its size was given. */
  readonly interval: readonly [number, number];
  /** Share of the training books whose average rating is at or below this one, 0–100. */
  readonly percentile: number;
  /** The expected opinion of each aspect, in stars (see `measureAppeal`). */
  readonly aspects: Readonly<Record<string, number>>;
  readonly aspectPercentiles: Readonly<Record<string, number>>;
  /** What the forecast was made from. */
  readonly fields: readonly Field[];
  /** Given, but in words that the model has not learnt from: another language, or a title of rare words. */
  readonly unrecognised: readonly Field[];
  /** What moved the rating, largest first; the effects of all fields add up to the rating less `baseline`. */
  readonly why: readonly Reason[];
  /** The rating of a book of which only the same fields are known and are those of the average book. */
  readonly baseline: number;
}

export interface NoForecast {
  readonly kind: "unscored";
  readonly reason: string;
}

export type Forecaster = (book: ForecastInput) => Forecast | NoForecast;

/** Prepares a model for many books. */
export function forecaster(model: ForecastModel, options: { readonly reasons?: number } = {}): Forecaster {
  const read = modelReader(model);
  /** What the words and genres of an earlier book say of its rating; null where little is known but its title. */
  const plainRating = (book: KnownBook): number | null => {
    const effects = read(book).map((reading) => reading.effects?.[0] ?? null);
    const known = FIELDS.filter((_, position) => effects[position] !== null);
    if (known.length === 0 || (!book.genres?.length && tooFewWords(book, known) !== null)) return null;
    const { shift, slope } = model.calibration[subsetKey(known)]![0]!;
    return clamp(shift + slope * sum(effects.map((effect) => effect ?? 0)));
  };
  return (input) => {
    const book = forecastInputSchema.parse(input);
    const readings = read(book);
    const fields = FIELDS.filter((_, position) => readings[position]!.effects !== null);
    const unrecognised = FIELDS.filter((_, position) => readings[position]!.unrecognised);
    if (fields.length === 0) return { kind: "unscored", reason: whyNot(unrecognised) };
    // An empty list says that readers shelved the book under nothing, which is no description of it.
    const tooLittle = book.genres?.length && fields.includes("genres") ? null : tooFewWords(book, fields);
    if (tooLittle !== null) return { kind: "unscored", reason: tooLittle };
    const calibrations = model.calibration[subsetKey(fields)]!;
    const said = model.names.map((_, output) => {
      const effect = sum(readings.map(({ effects }) => effects?.[output] ?? 0));
      return clamp(calibrations[output]!.shift + calibrations[output]!.slope * effect);
    });
    const fromEarlier = book.earlier_books?.length
      ? authorEffect(
          book.earlier_books.map((earlier) => earlier.average_rating - (plainRating(earlier) ?? said[0]!)),
          model.authorShare,
        )
      : null;
    const values = [clamp(said[0]! + (fromEarlier ?? 0)), ...said.slice(1)];
    const byAspect = (give: (output: number) => number) =>
      Object.fromEntries(model.names.slice(1).map((name, position) => [name, give(position + 1)]));
    return {
      kind: "forecast",
      rating: round(values[0]!),
      interval: interval(values[0]!, calibrations[0]!, book.expected_ratings ?? null),
      percentile: percentile(values[0]!, model.percentiles[0]!),
      aspects: byAspect((output) => round(values[output]!)),
      aspectPercentiles: byAspect((output) => percentile(values[output]!, model.percentiles[output]!)),
      fields,
      unrecognised,
      why: explain(model, readings, { slope: calibrations[0]!.slope, fromEarlier, most: options.reasons ?? 8 }),
      baseline: round(calibrations[0]!.shift),
    };
  };
}

function whyNot(unrecognised: readonly Field[]): string {
  if (unrecognised.length === 0)
    return "nothing to go by: give a title, genres, a premise, a length, a plot summary or characters";
  return `nothing in ${unrecognised.join(", ")} is recognised: the forecast reads English`;
}

/** Genres alone say much; without them a few words are no description of a book. */
const LEAST_WORDS = 20;

function tooFewWords(book: KnownBook, fields: readonly Field[]): string | null {
  const texts = fields.map((field) => (field === "words" || field === "genres" ? "" : (book[field] ?? "")));
  const words = wordsIn(texts.join("\n")).length;
  if (words >= LEAST_WORDS) return null;
  return `too little to go by (${words} words and no genres): give genres, or a premise or plot summary of at least ${LEAST_WORDS} words`;
}

function interval(rating: number, { halfWidth, byAudience }: Calibration, audience: number | null): [number, number] {
  const ofAudience = audience === null ? undefined : byAudience?.[audienceOf(audience)];
  const [low, high] = ofAudience ?? [-halfWidth, halfWidth];
  return [round(clamp(Math.min(rating, rating + low))), round(clamp(Math.max(rating, rating + high)))];
}

/**
 * How far the author's earlier books move a forecast: by how much those were off, and the less the fewer they are. The mean of n
 * books of one author, whose misses correlate by `share`, tells n · share / (1 + (n − 1) · share) of the next miss.
 */
export function authorEffect(misses: readonly number[], share: number): number {
  const { length } = misses;
  return length === 0 ? 0 : ((length * share) / (1 + (length - 1) * share)) * mean(misses);
}

/** Place among 101 percentiles, with straight lines between them. */
function percentile(value: number, marks: readonly number[]): number {
  const above = marks.findIndex((mark) => mark > value);
  if (above === -1) return 100;
  if (above === 0) return 0;
  const [low, high] = [marks[above - 1]!, marks[above]!];
  return Math.round((above - 1 + (value - low) / (high - low)) * 10) / 10;
}

function clamp(rating: number): number {
  return Math.min(Math.max(rating, 1), 5);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
