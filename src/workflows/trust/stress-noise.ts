import type { ScoredVerdict } from "../../core/verdict.ts";
import type { JurorId } from "../../jury/juror.ts";

/**
 * A juror's own noise, in points of its scale: the most by which its scores of the odd and of the even chapters of one novel
 * differ, over the novels that `evals/stress.ts` calibrates on. Damage is tested on other novels.
 */
export const STRESS_NOISE: Readonly<Record<JurorId, number>> = { crowd: 2.76, editor: 0.19, grader: 0.34 };

export function jurorThreshold(juror: JurorId): string {
  return `The ${juror} counts as having reacted when its score moves by more than ${STRESS_NOISE[juror]} points (the most by which its scores for the two halves of one novel differed) and the interval of the move, over chapters drawn with replacement, excludes zero.`;
}

/** A language model's noise is not known beforehand: a part of the scale, or of the range that it gives its own score. */
const PART_OF_SCALE = 0.01;
const PART_OF_RANGE = 0.1;

export function modelNoise(
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  { interval }: ScoredVerdict,
): number {
  return Math.max(PART_OF_SCALE * (maximum - minimum), interval ? PART_OF_RANGE * (interval[1] - interval[0]) : 0);
}

export const MODEL_THRESHOLD =
  "A judge counts as having reacted when the score moves by more than a tenth of the range it gives that score, and by more than a hundredth of its scale, and the interval of the move, over chapters drawn with replacement, excludes zero.";
