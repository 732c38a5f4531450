import { mean, variance } from "../../stats/distribution.ts";
import type { EarlierReview } from "./votes.ts";

type Past = Pick<EarlierReview, "rating" | "expected">;

/**
 * The chance of each number of stars: an ordinal logistic regression. A reader who gives fives alone, or ones and fives, spreads
 * differently from one who gives threes, at the same prediction.
 */
export interface StarModel {
  /** Between one star and two, two and three, …: ascending. */
  readonly thresholds: readonly number[];
  /** What moves a rating up, and what spreads it (the logarithm of the width): coefficients of `circumstances`. */
  readonly location: readonly number[];
  readonly width: readonly number[];
}

/** The widths of ranges for one length of history, by groups of predictions and readers that need different ones. */
export interface GroupedReach {
  /** For histories of at least this many reviews, up to the next group's. */
  readonly from: number;
  /** Between the fifths of the predictions, lowest first. */
  readonly fifths: readonly number[];
  /** Below the first a reader is strict, above the second kind, by `levelOf` the history. */
  readonly levels: readonly [number, number];
  /** By fifth, and by strict, usual and kind: which middle share of the chances holds four ratings in five. */
  readonly reach: readonly (readonly number[])[];
}

export interface RatingSpread {
  readonly stars: StarModel;
  readonly groups: readonly GroupedReach[];
}

export const STAR_NUMBERS = [1, 2, 3, 4, 5] as const;
/** With this many earlier reviews, half of what they say about a reader's spread is believed. */
const HALF_BELIEVED = 2;
const USUAL_PREDICTION = 4;

/** How far a reader's ratings are above what was expected of the same stories: negative for strict readers. */
export function levelOf(history: readonly Past[]): number {
  return history.length === 0 ? 0 : mean(history.map(({ rating, expected }) => rating - expected));
}

/** What the chances depend on: the prediction, and how the reader rated before, believed the more the longer the history. */
export function circumstances(
  predicted: number,
  history: readonly Past[],
): { readonly location: readonly number[]; readonly width: readonly number[] } {
  const { length } = history;
  const believed = length / (length + HALF_BELIEVED);
  const unknown = 1 / (length + 1);
  const share = (isOne: (rating: number) => boolean) =>
    length === 0 ? 0 : (believed * history.filter(({ rating }) => isOne(rating)).length) / length;
  const level = believed * levelOf(history);
  const deviation = length < 2 ? 0 : believed * Math.sqrt(variance(history.map(({ rating }) => rating)));
  const above = predicted - USUAL_PREDICTION;
  const fives = share((rating) => rating > 4.5);
  const low = share((rating) => rating < 2.5);
  return {
    location: [above, above ** 2, fives, low, level, unknown * above],
    width: [above, deviation, level, Math.abs(level), unknown],
  };
}

/** The chance of each whole number of stars, from one to five. */
export function starChances(
  { thresholds, location, width }: StarModel,
  given: ReturnType<typeof circumstances>,
): number[] {
  const centre = dot(location, given.location);
  const scale = Math.exp(-dot(width, given.width));
  const below = thresholds.map((threshold) => logistic((threshold - centre) * scale));
  return [0, ...below].map((share, at) => (below[at] ?? 1) - share);
}

/** The share of the chances below a number of stars, with half of that star's own chance; linear between stars. */
export function shareBelow(chances: readonly number[], stars: number): number {
  const shares = shareMarks(chances);
  const at = Math.min(Math.max(stars, 0.5), 5.5);
  const mark = Math.max(
    0,
    MARKS.findLastIndex((one) => one <= at && one < 5.5),
  );
  const part = (at - MARKS[mark]!) / (MARKS[mark + 1]! - MARKS[mark]!);
  return shares[mark]! + part * (shares[mark + 1]! - shares[mark]!);
}

/** How far a number of stars is from the middle of the chances: 0 in the middle, 1 at either end. */
export function remoteness(chances: readonly number[], stars: number): number {
  return 2 * Math.abs(shareBelow(chances, stars) - 0.5);
}

/** The range of stars that a middle share of the chances covers: everything less remote than that share. */
export function intervalFrom(chances: readonly number[], reach: number): readonly [number, number] {
  return [starsAt(chances, (1 - reach) / 2), starsAt(chances, (1 + reach) / 2)];
}

/** The reach of the group that a prediction belongs to. */
export function reachFor(groups: readonly GroupedReach[], predicted: number, history: readonly Past[]): number {
  const { fifths, levels, reach } = groups.findLast(({ from }) => history.length >= from) ?? groups[0]!;
  return reach[fifthOf(fifths, predicted)]![kindOf(levels, history)]!;
}

export function fifthOf(fifths: readonly number[], predicted: number): number {
  return fifths.filter((bound) => predicted >= bound).length;
}

/** Strict, usual or kind. */
export function kindOf(levels: readonly [number, number], history: readonly Past[]): 0 | 1 | 2 {
  const level = levelOf(history);
  if (history.length === 0) return 1;
  return level < levels[0] ? 0 : level > levels[1] ? 2 : 1;
}

/** Half a star below one, each number of stars, half a star above five. */
const MARKS = [0.5, ...STAR_NUMBERS, 5.5];

function shareMarks(chances: readonly number[]): number[] {
  let below = 0;
  const middles = chances.map((chance) => {
    below += chance;
    return below - chance / 2;
  });
  return [0, ...middles, 1];
}

function starsAt(chances: readonly number[], share: number): number {
  const shares = shareMarks(chances);
  const mark = Math.max(
    0,
    Math.min(
      shares.length - 2,
      shares.findLastIndex((one) => one <= share),
    ),
  );
  const [low, high] = [shares[mark]!, shares[mark + 1]!];
  const part = high > low ? (share - low) / (high - low) : 0;
  const stars = MARKS[mark]! + part * (MARKS[mark + 1]! - MARKS[mark]!);
  return Math.min(5, Math.max(1, stars));
}

export function dot(left: readonly number[], right: readonly number[]): number {
  let total = 0;
  for (let at = 0; at < left.length; at++) total += left[at]! * right[at]!;
  return total;
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
