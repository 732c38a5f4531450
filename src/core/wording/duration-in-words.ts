import { countOf } from "./count-of.ts";

const UNITS = [
  ["second", 1000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
] as const;

/** About how long, in the largest unit of which there are at least two. */
export function durationInWords(milliseconds: number): string {
  const [unit, length] = UNITS.findLast(([, one]) => milliseconds >= 2 * one) ?? UNITS[0];
  return countOf(Math.round(milliseconds / length), unit);
}
