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

/**
 * The mean of repeated verdicts with Student's interval, kept within the scale. One run alone has no interval. `looks` is how
 * often the runs may be looked at to decide whether to stop: each look then has its share of the 5 % that an interval may
 * miss (Bonferroni), so that the interval covers the judge's mean in 95 % of cases whichever look was the last. That holds
 * for runs that scatter about normally, rounded or not; a judge that nearly always says the same and rarely something else
 * can seem certain in a few runs.
 */
export function spreadOf(verdicts: readonly Verdict[], scale: { minimum: number; maximum: number }, looks = 1): Spread {
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
  const known = looks > 1 ? Math.max(deviation, roundingDeviation(scores, scale)) : deviation;
  const halfWidth = (studentQuantile(scores.length - 1, 0.05 / looks) * known) / Math.sqrt(scores.length);
  const interval = [Math.max(scale.minimum, centre - halfWidth), Math.min(scale.maximum, centre + halfWidth)] as const;
  return {
    verdict: scored(centre, interval),
    standardDeviation: deviation,
    halfWidth,
    scores,
    unscored: missing,
  };
}

const GRAINS = [5, 1, 0.5, 0.1];

/** Judges give round numbers, so runs that agree are known only as far as they were rounded: a grain has this deviation. */
function roundingDeviation(
  scores: readonly number[],
  { minimum, maximum }: { minimum: number; maximum: number },
): number {
  const isMultiple = (score: number, grain: number) => Math.abs(score / grain - Math.round(score / grain)) < 1e-9;
  const grain = GRAINS.find(
    (candidate) => candidate <= (maximum - minimum) / 8 && scores.every((score) => isMultiple(score, candidate)),
  );
  return (grain ?? 0) / Math.sqrt(12);
}
