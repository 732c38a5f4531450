import { sumBy } from "../../stats/distribution.ts";
import { normalCumulative } from "../../stats/special/normal.ts";
import type { PersonalPrediction } from "./predict-rating.ts";

type Predicted = Extract<PersonalPrediction, { kind: "predicted" }>;

export interface Ranked {
  /** The same for all that cannot be told apart from the first of them. */
  readonly rank: number;
  /** The chance that this one would be rated below the first of its rank, from one half (no difference) upwards. */
  readonly chanceBelowFirst: number;
}

/** Below this chance of being in the right order two stories share a rank. */
const TELLING = 0.6;
/** How many standard deviations half of an 80% interval is wide. */
const HALF_WIDTH = 1.2816;

/** Best first; those that cannot be told apart, given how far each rating may be off, on the same rank. */
export function rankRated<Item extends { readonly rating: number; readonly deviation: number }>(
  items: readonly Item[],
): (Item & Ranked)[] {
  const order = [...items].sort((left, right) => right.rating - left.rating);
  const ranked: (Item & Ranked)[] = [];
  let first = order[0];
  let rank = 1;
  order.forEach((item, index) => {
    let chance = chanceAbove(first!, item);
    if (chance >= TELLING) {
      [first, rank, chance] = [item, index + 1, 0.5];
    }
    ranked.push({ ...item, rank, chanceBelowFirst: chance });
  });
  return ranked;
}

/**
 * The standard deviation of a reader's true rating around the prediction, from the wider side of its interval: the other side may
 * be cut off by the end of the scale, which does not make a rating near five stars more certain.
 */
export function deviationOf({ rating, interval: [low, high] }: Pick<Predicted, "rating" | "interval">): number {
  return Math.max(rating - low, high - rating) / HALF_WIDTH;
}

/** Which of two stories a reader would like better, and how sure that is; a tie where `rankRated` would put both on one rank. */
export interface PredictedPreference {
  readonly preferred: "left" | "right" | "tie";
  /** The chance that the reader gives the left one more stars, the right one, or both the same number. */
  readonly chanceLeft: number;
  readonly chanceRight: number;
  readonly chanceEqual: number;
  /** Left minus right, in stars, and the interval in which that falls four times in five. */
  readonly difference: number;
  readonly interval: readonly [number, number];
}

export function preferenceBetween(left: Predicted, right: Predicted): PredictedPreference {
  const [first, second] = [left, right].map((one) => ({ rating: one.rating, deviation: deviationOf(one) }));
  const telling = chanceAbove(first!, second!);
  const difference = left.rating - right.rating;
  const half = HALF_WIDTH * Math.hypot(first!.deviation, second!.deviation);
  return {
    preferred: telling >= TELLING ? "left" : 1 - telling >= TELLING ? "right" : "tie",
    ...chancesOfStars(left.distribution, right.distribution),
    difference,
    interval: [difference - half, difference + half],
  };
}

/** Readers give whole stars, so the same number for both is often the likeliest of the three outcomes. */
function chancesOfStars(left: readonly number[], right: readonly number[]) {
  const chance = (isSo: (ofLeft: number, ofRight: number) => boolean) =>
    sumBy(left, (one, stars) => one * sumBy(right, (other, others) => (isSo(stars, others) ? other : 0)));
  const [above, below, equal] = [chance((a, b) => a > b), chance((a, b) => a < b), chance((a, b) => a === b)];
  const all = above + below + equal;
  return { chanceLeft: above / all, chanceRight: below / all, chanceEqual: equal / all };
}

/** The chance that the first gets the higher rating, both scattering around what is expected of them. */
function chanceAbove(
  first: { readonly rating: number; readonly deviation: number },
  second: { readonly rating: number; readonly deviation: number },
): number {
  const gap = first.rating - second.rating;
  const together = Math.hypot(first.deviation, second.deviation);
  if (together > 0) return normalCumulative(gap / together);
  return gap > 0 ? 1 : 0.5;
}
