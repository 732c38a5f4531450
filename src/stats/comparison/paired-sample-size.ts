import { normalQuantile } from "../special/normal.ts";

/**
 * How many shared units are needed to tell a mean difference of a given size, by a two-sided paired test: the normal
 * approximation with Guenther's correction for Student's t (1981). Within one of R's `power.t.test(type = "paired")`.
 */
export function pairedSampleSize({
  difference,
  deviation,
  power = 0.8,
  significance = 0.05,
}: {
  readonly difference: number;
  /** Standard deviation of the paired differences, from a pilot. */
  readonly deviation: number;
  readonly power?: number;
  readonly significance?: number;
}): number {
  if (!(difference > 0)) throw new RangeError(`a difference to be told must be above 0, not ${difference}`);
  const tail = normalQuantile(1 - significance / 2);
  const ratio = deviation / difference;
  return Math.max(2, Math.ceil((tail + normalQuantile(power)) ** 2 * ratio ** 2 + tail ** 2 / 2));
}
