import { incompleteBeta } from "./incomplete-beta.ts";

/** The chance that Student's t with these degrees of freedom lies at least this far from 0, on either side. */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  if (!(degreesOfFreedom > 0)) throw new RangeError("Student's t needs positive degrees of freedom");
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}
