import { sum } from "../stats/distribution.ts";

/** How Equation 1 of LongStoryEval is applied to ratings. */
export const RATING_RULES = ["shrunk", "printed"] as const;
export type RatingRule = (typeof RATING_RULES)[number];

/** A rating and whose it is. */
export interface Rating {
  readonly reviewer: string;
  readonly rating: number;
}

export interface Moments {
  readonly mean: number;
  readonly deviation: number;
}

export interface RatingScale {
  readonly platform: Moments;
  /** This many ratings at the platform's mean are added to everyone's own: few ratings say little about a person's habits. */
  readonly shrinkage: number;
  readonly reviewers: number;
  readonly ratings: number;
  /** A rating as it would be if this reader used the scale as the platform does. */
  normalise(rating: Rating): number;
}

interface Habit {
  count: number;
  sum: number;
  squares: number;
}

/**
 * Learns how each reader uses the scale: S′ = (S − μᵤ) / σᵤ · σ + μ (LongStoryEval, §4.2). Most readers rated once or
 * twice, so their mean and deviation are drawn towards the platform's, as strongly as readers differ little from each
 * other (the ratio of the variance within readers to that between them), and no deviation is ever zero. A last shift and
 * stretch, the same for all, gives what was normalised the platform's mean and deviation exactly.
 */
export function learnRatingScale(ratings: readonly Rating[], platform: Moments = momentsOf(ratings)): RatingScale {
  const habits = new Map<string, Habit>();
  for (const { reviewer, rating } of ratings) {
    const habit = habits.get(reviewer) ?? { count: 0, sum: 0, squares: 0 };
    habit.count++;
    habit.sum += rating;
    habit.squares += rating * rating;
    habits.set(reviewer, habit);
  }
  const own = momentsOf(ratings);
  const shrinkage = shrinkageFor(habits, own);
  const relative = ({ reviewer, rating }: Rating): number => {
    const habit = habits.get(reviewer) ?? { count: 0, sum: 0, squares: 0 };
    const weight = habit.count + shrinkage;
    const mean = (habit.sum + shrinkage * own.mean) / weight;
    const scatter = habit.squares - 2 * mean * habit.sum + habit.count * mean * mean;
    const variance = (Math.max(scatter, 0) + shrinkage * own.deviation ** 2) / weight;
    return variance > 0 ? (rating - mean) / Math.sqrt(variance) : 0;
  };
  const raw = momentsOf(ratings.map((rating) => ({ rating: relative(rating) })));
  return {
    platform,
    shrinkage,
    reviewers: habits.size,
    ratings: ratings.length,
    normalise: (rating) =>
      platform.mean + (raw.deviation > 0 ? ((relative(rating) - raw.mean) / raw.deviation) * platform.deviation : 0),
  };
}

/**
 * Equation 1 of LongStoryEval as printed, S′ = (S − μᵤ) / σᵤ · σ + μ, with each reader's mean and deviation from outside:
 * over everything the reader has rated, not only what is in the data. Null for a reader of whom nothing is known, and for one
 * who gives every book the same stars, for whom the equation has no answer.
 */
export function equationOne(
  readers: ReadonlyMap<string, Moments>,
  platform: Moments,
): (rating: Rating) => number | null {
  return ({ reviewer, rating }) => {
    const reader = readers.get(reviewer);
    if (!reader || !(reader.deviation > 0)) return null;
    return ((rating - reader.mean) / reader.deviation) * platform.deviation + platform.mean;
  };
}

/** Each reader's mean and deviation over these ratings alone. */
export function readersOf(ratings: readonly Rating[]): Map<string, Moments> {
  const own = new Map<string, Rating[]>();
  for (const rating of ratings) {
    const given = own.get(rating.reviewer);
    if (given) given.push(rating);
    else own.set(rating.reviewer, [rating]);
  }
  return new Map([...own].map(([reviewer, given]) => [reviewer, momentsOf(given)]));
}

export function momentsOf(ratings: readonly { readonly rating: number }[]): Moments {
  const mean = sum(ratings.map(({ rating }) => rating)) / ratings.length;
  const variance = sum(ratings.map(({ rating }) => (rating - mean) ** 2)) / ratings.length;
  return { mean, deviation: Math.sqrt(variance) };
}

const LEAST_SHRINKAGE = 1;
const MOST_SHRINKAGE = 100;

/** Variance within readers over variance between them, from those who rated more than once (one-way random effects). */
function shrinkageFor(habits: ReadonlyMap<string, Habit>, own: Moments): number {
  let within = 0;
  let freedom = 0;
  let between = 0;
  let weight = 0;
  for (const { count, sum, squares } of habits.values()) {
    if (count < 2) continue;
    within += Math.max(squares - (sum * sum) / count, 0);
    freedom += count - 1;
    between += count * (sum / count - own.mean) ** 2;
    weight += count;
  }
  if (freedom === 0) return MOST_SHRINKAGE;
  const readers = weight - freedom;
  const withinVariance = within / freedom;
  const betweenVariance = (between - readers * withinVariance) / weight;
  if (betweenVariance <= 0) return MOST_SHRINKAGE;
  return Math.min(Math.max(withinVariance / betweenVariance, LEAST_SHRINKAGE), MOST_SHRINKAGE);
}
