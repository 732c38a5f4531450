import type { Overuse } from "../../prose/habits/overused.ts";
import type { ComparedFigure } from "../../prose/reference/reference-novels.ts";
import { wilsonInterval } from "../../stats/distribution/wilson-interval.ts";
import type { PlacesBehind } from "./passages-behind.ts";

/** Fewer cases than this are chance. */
const FEWEST_CASES = 5;
/** A reader does not notice a phrase that comes less often. */
const FEWEST_USES = 12;
const MOSTLY = 0.5;
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
    const [low, high] = shareInterval(value, of);
    return place === "above" ? low > reference.high : high < reference.low;
  }
  if (unit !== "per 1,000 words" || place === "below") return true;
  return touched >= FEWEST_CASES && (1000 * (touched - 2 * Math.sqrt(touched))) / words > reference.high;
}

/** What a share of so many things may be by more than chance; everything where there are none. */
export function shareInterval(share: number, of: number): [number, number] {
  return of === 0 ? [0, 1] : wilsonInterval(Math.round(share * of), of, SURE);
}

export function isPhraseBeyondChance({ count, spoken, referenceHigh }: Overuse, words: number): boolean {
  return (
    referenceHigh !== null &&
    spoken < MOSTLY &&
    count >= FEWEST_USES &&
    (1000 * (count - 2 * Math.sqrt(count))) / words > referenceHigh
  );
}
