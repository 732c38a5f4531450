import { isScored, scored, unscored, type Verdict } from "../core/verdict.ts";
import { mean, standardDeviation } from "../stats/distribution.ts";
import { type JudgeNoise, judgeNoise, meanOfRuns, rangeOfMean } from "../stats/error-model.ts";
import type { RunOutcome } from "./methods/method.ts";

/** Several runs combined: their mean with its interval, their spread, and how many gave no score. */
export interface Spread {
  readonly verdict: Verdict;
  readonly standardDeviation: number | null;
  /**
   * Half the width of the interval before it is cut off by the scale: how precisely the mean is known. Null with
   * fewer than two scores.
   */
  readonly halfWidth: number | null;
  readonly scores: readonly number[];
  readonly unscored: number;
}

/**
 * The mean of repeated verdicts with Student's interval, kept within the scale. A single run has no interval. `noise`
 * is what is known about the judge from other aspects of the same runs; without it, only these verdicts are used.
 * `looks` is how often the runs may be checked to decide whether to stop: each check gets its share of the 5 % that
 * an interval may miss (Bonferroni), so that the interval covers the judge's mean in 95 % of cases, whichever check
 * was the last. This holds for runs that scatter about normally, rounded or not; a judge that nearly always gives the
 * same score, and rarely another, can seem certain after a few runs.
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

/** A judge's noise, estimated from everything that several runs of a method said about one book. */
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
/** By how much the number of runs grows between two checks: with fewer checks, each can give a narrower interval. */
const GROWTH = 1.5;

/** After how many runs `--until-ci` checks whether to stop: 3, 5, 8, 12, 18 and 20 of at most 20. */
export function lookPoints(runs: number): number[] {
  const points: number[] = [];
  for (let at = LEAST_RUNS; at < runs; at = Math.ceil(at * GROWTH)) points.push(at);
  return [...points, runs];
}

/** How many checks the interval of an evaluation must allow for. */
export function looksAllowed({ runs, untilHalfWidth }: { runs: number; untilHalfWidth: number | null }): number {
  return untilHalfWidth === null ? 1 : lookPoints(runs).length;
}
