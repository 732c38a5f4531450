import { averageVerdicts, isScored, scored, type Verdict } from "../../core/verdict.ts";
import { type Spread, spreadOf } from "./spread.ts";

/**
 * The verdict of repeated runs over segments. Its interval is the wider of two: what the runs say, and what the number of
 * segments says (Student's interval over their scores). Runs that repeat each other word for word prove nothing about a
 * score that rests on few segments.
 */
export function acrossSegments(
  { verdict, halfWidth }: Spread,
  /** For each segment, its verdict in every run. */
  bySegment: readonly (readonly Verdict[])[],
  scale: { readonly minimum: number; readonly maximum: number },
): Verdict {
  if (!isScored(verdict)) return verdict;
  const means = bySegment.map((verdicts) => averageVerdicts(verdicts).verdict);
  const known = [halfWidth, spreadOf(means, scale).halfWidth].filter((width) => width !== null);
  if (known.length === 0) return verdict;
  const widest = Math.max(...known);
  return scored(verdict.score, [
    Math.max(scale.minimum, verdict.score - widest),
    Math.min(scale.maximum, verdict.score + widest),
  ]);
}
