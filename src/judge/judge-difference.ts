import { isScored, type Verdict } from "../core/verdict.ts";
import { mean } from "../stats/distribution/mean.ts";

/** What a judge said, by aspect. */
export type AspectVerdicts = Readonly<Record<string, Verdict>>;

/**
 * Mean absolute difference between judges on one scale, over all pairs of them and all of these aspects that both scored;
 * null when there are none.
 */
export function meanDifference(judges: readonly AspectVerdicts[], aspects: readonly string[]): number | null {
  const differences: number[] = [];
  for (const [position, left] of judges.entries()) {
    for (const right of judges.slice(position + 1)) {
      for (const aspect of aspects) {
        const [one, other] = [left[aspect], right[aspect]];
        if (one && other && isScored(one) && isScored(other)) differences.push(Math.abs(one.score - other.score));
      }
    }
  }
  return differences.length === 0 ? null : mean(differences);
}
