import type { JurorHead } from "../../src/jury/juror-file.ts";
import { median } from "../../src/stats/distribution.ts";
import { conformalQuantile } from "../grader/calibration.ts";
import { type CountedTexts, countTexts } from "./counted-texts.ts";
import type { HeldOut, Material } from "./cross-validate.ts";
import { type Lesson, type Source, type Standard, standardise, standardsOf } from "./fit-lessons.ts";

/** Words in a window: the length that jurors were chosen with. */
export const WINDOW = 250;
/** What is left of a text when only its beginning is read. */
export const BEGINNING = 200;

export function prepareMaterial(lessons: readonly Lesson[], minimumTexts: number): Material {
  const distinct = [...new Set(lessons.map(({ text }) => text))];
  const numbers = new Map(distinct.map((text, number) => [text, number]));
  const counted = countTexts(distinct, { window: WINDOW, minimumTexts });
  const beginning: CountedTexts = countTexts(
    distinct,
    { window: WINDOW, minimumTexts, firstWords: BEGINNING },
    counted,
  );
  return { lessons, texts: lessons.map(({ text }) => numbers.get(text)!), counted, readings: { beginning } };
}

/** From a fitted sum to a score on the juror's scale: `centre + slope × (sum − middle)`, with the misses to be expected. */
export interface Calibration {
  readonly centre: number;
  readonly slope: number;
  readonly middle: number;
  readonly misses: JurorHead["misses"];
}

export interface CalibrationRequest {
  /** Sources whose ratings are on the juror's scale. */
  readonly sources: readonly Source[];
  /** Points of the juror's scale for one unit of the sources' scale. */
  readonly unit: number;
  readonly coverage: number;
  readonly inside: HeldOut;
  /** Predictions with the whole source left out; without them, outside is as wide as knowing nothing of the text. */
  readonly outside?: HeldOut;
}

/**
 * Calibrates on predictions of texts that were held back. Sources use their scales differently, so a score is on the
 * average of them: the mean of their means and of their spreads.
 */
export function calibrate(material: Material, request: CalibrationRequest): Calibration {
  const { lessons, counted, texts } = material;
  const rated = lessons.flatMap(({ source }, place) => (request.sources.includes(source) ? [place] : []));
  const standards = standardsOf(rated.map((place) => lessons[place]!));
  const mean = (value: (standard: Standard) => number) =>
    request.sources.reduce((sum, source) => sum + value(standards.get(source)!), 0) / request.sources.length;
  const [centre, spread] = [request.unit * mean((one) => one.mean), request.unit * mean((one) => one.deviation)];
  const given = (place: number) => standardise(lessons[place]!.target, standards.get(lessons[place]!.source)!);
  const middle = meanOf(rated.map((place) => request.inside.whole[place]!));
  const slope = slopeOf(rated, request.inside.whole, given, middle);
  const missOf = (predictions: Float64Array) =>
    conformalQuantile(
      rated.map((place) => spread * Math.abs(given(place) - slope * (predictions[place]! - middle))),
      request.coverage,
    );
  const ignorance = conformalQuantile(
    rated.map((place) => spread * Math.abs(given(place))),
    request.coverage,
  );
  const missesAt = (words: number, reading: (held: HeldOut) => Float64Array) => {
    const inside = missOf(reading(request.inside));
    const outside = Math.max(inside, ignorance, request.outside ? missOf(reading(request.outside)) : 0);
    return { words, inside, outside };
  };
  return {
    centre,
    slope: slope * spread,
    middle,
    misses: [
      missesAt(BEGINNING, ({ readings }) => readings.beginning!),
      missesAt(Math.round(median(rated.map((place) => counted.words[texts[place]!]!))), ({ whole }) => whole),
    ].sort((left, right) => left.words - right.words),
  };
}

function slopeOf(
  places: readonly number[],
  predictions: Float64Array,
  given: (place: number) => number,
  middle: number,
): number {
  let products = 0;
  let squares = 0;
  for (const place of places) {
    const predicted = predictions[place]! - middle;
    products += predicted * given(place);
    squares += predicted * predicted;
  }
  return squares > 0 ? Math.max(0, products / squares) : 0;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
