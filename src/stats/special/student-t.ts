import { incompleteBeta } from "./incomplete-beta.ts";

/**
 * The chance that Student's t with these degrees of freedom lies at least this far from 0, on either side. It is the
 * two-sided p-value of a t test.
 *
 * @example
 * ```ts
 * studentTwoSided(2.228, 10); // about 0.05
 * ```
 */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  if (!(degreesOfFreedom > 0)) throw new RangeError("Student's t needs positive degrees of freedom");
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

const knownQuantiles = new Map<number, number>();

/**
 * The 97.5 % quantile of Student's t, the factor of a 95 % interval, by bisection on its tail probability. It is found
 * once per number of degrees, because a report asks for the same few again and again.
 */
export function studentQuantile(degreesOfFreedom: number): number {
  const ready = knownQuantiles.get(degreesOfFreedom);
  if (ready !== undefined) return ready;
  let low = 0;
  let high = 1000;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degreesOfFreedom) > 0.05) low = middle;
    else high = middle;
  }
  knownQuantiles.set(degreesOfFreedom, high);
  return high;
}
