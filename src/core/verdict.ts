import { z } from "zod";

/** The lowest and the highest score of a scale. */
export interface Scale {
  readonly minimum: number;
  readonly maximum: number;
}

/** The common scale for comparing scores of different scales. */
export const HUNDRED: Scale = { minimum: 0, maximum: 100 };

export function isSameScale(left: Scale, right: Scale): boolean {
  return left.minimum === right.minimum && left.maximum === right.maximum;
}

/**
 * Carries a score over to another scale: in proportion to the highest score, and never below the lowest. 3.8 of 5 is 76 of
 * 100, as people read it, whether the scale began at 0 or at 1 (a reply that says "3.8/5" does not tell). This is the only
 * conversion of scores; only a scale that goes below zero, where proportion means nothing, is moved ends to ends.
 */
export function rescale(value: number, from: Scale, to: Scale): number {
  if (isSameScale(from, to)) return value;
  const moved =
    from.minimum < 0 || to.minimum < 0
      ? to.minimum + ((value - from.minimum) * (to.maximum - to.minimum)) / (from.maximum - from.minimum)
      : Math.max(to.minimum, (value * to.maximum) / from.maximum);
  return Number(moved.toFixed(6));
}

export function rescaleVerdict(verdict: Verdict, from: Scale, to: Scale): Verdict {
  if (!isScored(verdict) || isSameScale(from, to)) return verdict;
  const { score, interval } = verdict;
  return scored(rescale(score, from, to), interval && [rescale(interval[0], from, to), rescale(interval[1], from, to)]);
}

/**
 * What a judge says about one criterion. Missing is not zero: a judge that failed, refused, was cut off or saw too
 * little of the book gives `unscored` with a reason, and averages skip it and say how many they skipped.
 */
export const verdictSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("scored"),
    score: z.number(),
    interval: z.tuple([z.number(), z.number()]).optional(),
  }),
  z.object({ kind: z.literal("unscored"), reason: z.string().min(1) }),
]);

export type Verdict = z.infer<typeof verdictSchema>;
export type ScoredVerdict = Extract<Verdict, { kind: "scored" }>;
export type UnscoredVerdict = Extract<Verdict, { kind: "unscored" }>;

/** Means of equal scores may differ by this much in their last digits. */
const ROUNDING = 1e-9;

/**
 * A verdict with a score, and its interval if one is known. A score that is not a finite number gives an unscored verdict. An
 * interval without width is none: scores that happen to agree do not say how far the next would differ.
 *
 * @example
 * ```ts
 * scored(7.5); // { kind: "scored", score: 7.5 }
 * scored(7.5, [6.9, 8.1]);
 * ```
 */
export function scored(score: number, interval?: readonly [number, number]): Verdict {
  if (!Number.isFinite(score)) return unscored("the score was not a finite number");
  const hasWidth = interval !== undefined && interval[1] - interval[0] > ROUNDING;
  return hasWidth ? { kind: "scored", score, interval: [interval[0], interval[1]] } : { kind: "scored", score };
}

/**
 * A verdict without a score, and why: a missing score is never a zero.
 *
 * @example
 * ```ts
 * unscored("the judge refused"); // { kind: "unscored", reason: "the judge refused" }
 * ```
 */
export function unscored(reason: string): UnscoredVerdict {
  return { kind: "unscored", reason };
}

/**
 * Whether a verdict has a score; narrows its type.
 *
 * @example
 * ```ts
 * const scores = verdicts.filter(isScored).map(({ score }) => score);
 * ```
 */
export function isScored(verdict: Verdict): verdict is ScoredVerdict {
  return verdict.kind === "scored";
}

/**
 * The mean of the scored verdicts, with the number of unscored ones: an average never hides a gap.
 *
 * @example
 * ```ts
 * averageVerdicts([scored(6), scored(8), unscored("cut off")]);
 * // { verdict: { kind: "scored", score: 7 }, used: 2, skipped: 1 }
 * ```
 */
export function averageVerdicts(verdicts: readonly Verdict[]): { verdict: Verdict; used: number; skipped: number } {
  const scores = verdicts.filter(isScored).map((verdict) => verdict.score);
  const skipped = verdicts.length - scores.length;
  if (scores.length === 0) {
    const first = verdicts.find((verdict) => verdict.kind === "unscored");
    return { verdict: unscored(first?.kind === "unscored" ? first.reason : "nothing was judged"), used: 0, skipped };
  }
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { verdict: scored(mean), used: scores.length, skipped };
}
