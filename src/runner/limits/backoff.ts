import type { Random } from "../../core/random.ts";

const FIRST_MILLISECONDS = 500;
const LONGEST_MILLISECONDS = 60_000;

/** Twice as long each time, from half of that to all of it at random, so that parallel calls do not come back together. */
export function backoffMilliseconds(failures: number, random: Random): number {
  const full = Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** (failures - 1));
  return full * (0.5 + random() / 2);
}
