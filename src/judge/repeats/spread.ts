import { isScored, scored, unscored, type Verdict } from "../../core/verdict.ts";
import { studentTwoSided } from "../../stats/special/student-t.ts";

/** What several runs say together: their mean with its interval, how far they lie apart, and how many gave no score. */
export interface Spread {
  readonly verdict: Verdict;
  readonly standardDeviation: number | null;
  /** Half the width of the interval before the scale cuts it off: how well the mean is known. Null with fewer than two scores. */
  readonly halfWidth: number | null;
  readonly scores: readonly number[];
  readonly unscored: number;
}

/** The mean of repeated verdicts with Student's 95 % interval, kept within the scale. One run alone has no interval. */
export function spreadOf(verdicts: readonly Verdict[], scale: { minimum: number; maximum: number }): Spread {
  const scores = verdicts.filter(isScored).map(({ score }) => score);
  const missing = verdicts.length - scores.length;
  if (scores.length === 0) {
    const first = verdicts.find((verdict) => verdict.kind === "unscored");
    const reason = first?.kind === "unscored" ? first.reason : "nothing was judged";
    return { verdict: unscored(reason), standardDeviation: null, halfWidth: null, scores, unscored: missing };
  }
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  if (scores.length === 1)
    return { verdict: scored(mean), standardDeviation: null, halfWidth: null, scores, unscored: missing };
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1);
  const halfWidth = studentQuantile(scores.length - 1) * Math.sqrt(variance / scores.length);
  const interval = [Math.max(scale.minimum, mean - halfWidth), Math.min(scale.maximum, mean + halfWidth)] as const;
  return {
    verdict: scored(mean, interval),
    standardDeviation: Math.sqrt(variance),
    halfWidth,
    scores,
    unscored: missing,
  };
}

const known = new Map<number, number>();

/** The 97.5 % quantile of Student's t, by bisection on its tail probability. */
export function studentQuantile(degrees: number): number {
  const ready = known.get(degrees);
  if (ready !== undefined) return ready;
  let low = 0;
  let high = 1000;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degrees) > 0.05) low = middle;
    else high = middle;
  }
  known.set(degrees, high);
  return high;
}
