import type { ComparedFigure } from "../../prose/reference/reference-novels.ts";
import { wilsonInterval } from "../../stats/distribution/wilson-interval.ts";
import type { PlacesBehind } from "./passages-behind.ts";

/** Fewer cases than this are chance. */
const FEWEST_CASES = 5;
const SURE = 0.95;

/**
 * Whether a figure leaves the reference by more than chance would, so that a short text is not blamed for it: a rate by more
 * than twice its own error (of a Poisson count), a share of counted things by all of its interval. Other figures are what
 * they are.
 */
export function isBeyondChance(
  { unit, value, place, reference }: ComparedFigure,
  { touched, of }: PlacesBehind,
  words: number,
): boolean {
  if (reference === null || value === null || touched === 0) return false;
  if (of !== undefined) {
    if (of === 0) return false;
    const [low, high] = wilsonInterval(Math.round(value * of), of, SURE);
    return place === "above" ? low > reference.high : high < reference.low;
  }
  if (unit !== "per 1,000 words" || place === "below") return true;
  return touched >= FEWEST_CASES && (1000 * (touched - 2 * Math.sqrt(touched))) / words > reference.high;
}
