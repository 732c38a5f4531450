import { isScored, type Verdict } from "../core/verdict.ts";
import { mean } from "../stats/distribution/mean.ts";

/** What each of several judges said, by aspect, all on one scale. */
export type AspectVerdicts = Readonly<Record<string, Verdict>>;

/** Mean absolute difference between judges, over all pairs of them and all aspects that both scored; null when there are none. */
export function meanDifference(judges: readonly AspectVerdicts[]): number | null {
  const differences = judges.flatMap((left, position) =>
    judges.slice(position + 1).flatMap((right) => differencesBetween(left, right)),
  );
  return differences.length === 0 ? null : mean(differences);
}

function differencesBetween(left: AspectVerdicts, right: AspectVerdicts): number[] {
  return Object.entries(left).flatMap(([aspect, verdict]) => {
    const other = right[aspect];
    return isScored(verdict) && other && isScored(other) ? [Math.abs(verdict.score - other.score)] : [];
  });
}
