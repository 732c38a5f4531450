import { isScored, scored, type Verdict } from "./verdict.ts";

/** The ends of what a judge may give. */
export interface Scale {
  readonly minimum: number;
  readonly maximum: number;
}

/** The scale on which scores of different scales stand beside each other. */
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
