import { type Random, randomInteger } from "../../core/random.ts";

/** A run of consecutive chapters, chosen by the seed: first position and length. Null when the book has too few. */
export function chooseConsecutive(
  chapters: number,
  wanted: number,
  random: Random,
): { first: number; count: number } | null {
  if (chapters < wanted) return null;
  return { first: randomInteger(random, chapters - wanted + 1), count: wanted };
}
