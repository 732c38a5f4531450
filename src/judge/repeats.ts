import { isScored, scored, unscored, type Verdict } from "../core/verdict.ts";
import { mean, standardDeviation } from "../stats/distribution.ts";
import { type JudgeNoise, judgeNoise, meanOfRuns, rangeOfMean } from "../stats/error-model.ts";
import type { RunOutcome } from "./methods/method.ts";

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
 * The mean of repeated verdicts with Student's interval, kept within the scale. One run alone has no interval. `noise` is what is
 * known of the judge from other aspects of the same runs; without it the verdicts speak for themselves. `looks` is how often the
 * runs may be looked at to decide whether to stop: each look then has its share of the 5 % that an interval may miss
 * (Bonferroni), so that the interval covers the judge's mean in 95 % of cases whichever look was the last. That holds for runs
 * that scatter about normally, rounded or not; a judge that nearly always says the same and rarely something else can seem
 * certain in a few runs.
 */
export function spreadOf(
  verdicts: readonly Verdict[],
  scale: { minimum: number; maximum: number },
  noise?: JudgeNoise,
  looks = 1,
): Spread {
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
  const known = noise ?? judgeNoise([{ text: "", measure: "", scores }]);
  const halfWidth = rangeOfMean(meanOfRuns(scores, known), 0.05 / looks)![1] - centre;
  const interval = [Math.max(scale.minimum, centre - halfWidth), Math.min(scale.maximum, centre + halfWidth)] as const;
  return {
    verdict: scored(centre, interval),
    standardDeviation: deviation,
    halfWidth,
    scores,
    unscored: missing,
  };
}

/** A judge's noise from all that several runs of a method said of one book. */
export function noiseOfRuns(outcomes: readonly RunOutcome[]): JudgeNoise {
  const aspects = [...new Set(outcomes.flatMap((outcome) => Object.keys(outcome.aspects)))];
  const scoresOf = (pick: (outcome: RunOutcome) => Verdict | undefined) =>
    outcomes.flatMap((outcome) => {
      const verdict = pick(outcome);
      return verdict && isScored(verdict) ? [verdict.score] : [];
    });
  return judgeNoise([
    { text: "", measure: "overall", scores: scoresOf(({ overall }) => overall) },
    ...aspects.map((id) => ({ text: "", measure: id, scores: scoresOf((outcome) => outcome.aspects[id]?.verdict) })),
  ]);
}

/** Two runs that happen to agree prove little. */
export const LEAST_RUNS = 3;
/** How much the runs grow between two looks: the fewer looks, the narrower the interval that each of them can give. */
const GROWTH = 1.5;

/** After how many runs `--until-ci` looks whether to stop: 3, 5, 8, 12, 18 and 20 of at most 20. */
export function lookPoints(runs: number): number[] {
  const points: number[] = [];
  for (let at = LEAST_RUNS; at < runs; at = Math.ceil(at * GROWTH)) points.push(at);
  return [...points, runs];
}

/** How many looks the interval of an evaluation has to allow for. */
export function looksAllowed({ runs, untilHalfWidth }: { runs: number; untilHalfWidth: number | null }): number {
  return untilHalfWidth === null ? 1 : lookPoints(runs).length;
}
