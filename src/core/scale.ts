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

/** A value at the same share of the way between the ends of another scale; on the same scale it stays as it is, digit by digit. */
export function rescale(value: number, from: Scale, to: Scale): number {
  if (isSameScale(from, to)) return value;
  return to.minimum + ((value - from.minimum) * (to.maximum - to.minimum)) / (from.maximum - from.minimum);
}

export function rescaleVerdict(verdict: Verdict, from: Scale, to: Scale): Verdict {
  if (!isScored(verdict) || isSameScale(from, to)) return verdict;
  const { score, interval } = verdict;
  return scored(rescale(score, from, to), interval && [rescale(interval[0], from, to), rescale(interval[1], from, to)]);
}
