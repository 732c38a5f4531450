import { groupBy } from "../../core/group-by.ts";
import { type Random, shuffled } from "../../core/random.ts";
import { sum } from "../../stats/distribution/sum.ts";

/**
 * Draws `count` of the questions, from each book in proportion to how many it has: whole shares first, then one more for the
 * books with the largest remainders. In the order of the data.
 */
export function stratifiedSample(books: readonly (string | null)[], count: number, random: Random): number[] {
  if (count >= books.length) return [...books.keys()];
  const strata = [...groupBy(books.keys(), (position) => books[position] ?? null).values()];
  const exact = strata.map((positions) => (count * positions.length) / books.length);
  const whole = exact.map(Math.floor);
  const missing = count - sum(whole);
  // Books with equal remainders take turns by chance, not by their place in the file.
  const byRemainder = shuffled([...strata.keys()], random).sort(
    (left, right) => exact[right]! - whole[right]! - (exact[left]! - whole[left]!),
  );
  for (const stratum of byRemainder.slice(0, missing)) whole[stratum]!++;
  return strata
    .flatMap((positions, stratum) => shuffled(positions, random).slice(0, whole[stratum]))
    .sort((left, right) => left - right);
}
