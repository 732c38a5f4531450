import type { Random } from "../../core/random.ts";

/** From here on Wilson and Hilferty's cube root of a chi-square is normal for every purpose of an interval. */
const MANY_DEGREES = 12;

/** A draw of the standard normal: Box and Muller's transform. */
export function normalDraw(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Two independent draws for the price of one: the transform gives them in pairs. */
export function normalPair(random: Random): readonly [number, number] {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const angle = 2 * Math.PI * random();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** A draw of a chi-square by its degrees of freedom. */
export function meanSquareDraw(degrees: number, random: Random): number {
  if (degrees > MANY_DEGREES) {
    const step = 2 / (9 * degrees);
    return (1 - step + Math.sqrt(step) * normalDraw(random)) ** 3;
  }
  let squares = 0;
  for (let degree = 0; degree < degrees; degree++) squares += normalDraw(random) ** 2;
  return squares / degrees;
}
