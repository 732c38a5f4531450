import { sum } from "./sum.ts";

/** The sum of one figure over many things. */
export function sumBy<T>(things: ArrayLike<T>, figure: (thing: T, index: number) => number): number {
  return sum(Array.from(things, figure));
}
