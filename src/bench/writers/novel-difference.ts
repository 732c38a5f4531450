import { sum } from "../../stats/distribution/sum.ts";
import type { PlacedNovel } from "./placed-novels.ts";

/**
 * How much higher one writer's version of a novel stands than another's, over the chapters that both have: a writer that
 * leaves out the hard ones gains nothing by it. Over all chapters where they have no numbers; null where none is shared.
 */
export function novelDifference(one: PlacedNovel, other: PlacedNovel): number | null {
  if (!one.parts || !other.parts) return one.composite - other.composite;
  const totals = one.scores.map(() => 0);
  const counts = one.scores.map(() => 0);
  for (const [chapter, own] of one.parts) {
    const theirs = other.parts.get(chapter);
    for (let dimension = 0; theirs && dimension < totals.length; dimension++) {
      const [left, right] = [own[dimension], theirs[dimension]];
      if (left == null || right == null) continue;
      totals[dimension]! += left - right;
      counts[dimension]!++;
    }
  }
  if (counts.some((count) => count === 0)) return null;
  return sum(totals.map((total, dimension) => total / counts[dimension]!));
}
