import { isScored, scored, unscored, type Verdict } from "../../core/verdict.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { standardDeviation } from "../../stats/distribution/variance.ts";
import { studentQuantile } from "../../stats/special/student-t.ts";

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
  const centre = mean(scores);
  if (scores.length === 1)
    return { verdict: scored(centre), standardDeviation: null, halfWidth: null, scores, unscored: missing };
  const deviation = standardDeviation(scores);
  const halfWidth = (studentQuantile(scores.length - 1) * deviation) / Math.sqrt(scores.length);
  const interval = [Math.max(scale.minimum, centre - halfWidth), Math.min(scale.maximum, centre + halfWidth)] as const;
  return {
    verdict: scored(centre, interval),
    standardDeviation: deviation,
    halfWidth,
    scores,
    unscored: missing,
  };
}
