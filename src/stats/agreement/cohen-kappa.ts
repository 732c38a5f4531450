import { requireEqualLengths } from "../complete-pairs.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

/** How much a disagreement counts: all alike, by the steps between the two categories, or by those steps squared. */
export type KappaWeights = "none" | "linear" | "quadratic";

export interface KappaOptions {
  readonly weights?: KappaWeights;
  /** All levels of the scale in order, when some may not occur; otherwise the levels that do, ascending. */
  readonly categories?: readonly number[];
}

/**
 * Cohen's κ (1960, weighted 1968): agreement of two raters beyond what their own habits would give by chance. Undefined
 * when chance leaves no room for disagreement. Checked against `sklearn.metrics.cohen_kappa_score`. Use it for two
 * raters and categories; give `weights` when the categories have an order, so that a near miss counts less.
 *
 * @example
 * ```ts
 * cohenKappa([1, 2, 3, 3], [1, 2, 3, 2]); // about { value: 0.636 }
 * cohenKappa([1, 2, 3, 3], [1, 2, 3, 2], { weights: "quadratic" }); // { value: 0.8 }
 * ```
 */
export function cohenKappa(left: ArrayLike<number>, right: ArrayLike<number>, options: KappaOptions = {}): Statistic {
  requireEqualLengths(left, right);
  if (left.length === 0) return notDefined("no item was rated by both");
  const levels = [...(options.categories ?? new Set([...Array.from(left), ...Array.from(right)]))];
  if (!options.categories) levels.sort((a, b) => a - b);
  const place = new Map(levels.map((level, index) => [level, index]));
  const leftCounts = new Float64Array(levels.length);
  const rightCounts = new Float64Array(levels.length);
  const weights = options.weights ?? "none";
  let observed = 0;
  for (let i = 0; i < left.length; i++) {
    const a = place.get(left[i]!);
    const b = place.get(right[i]!);
    if (a === undefined || b === undefined) throw new RangeError("a rating lies outside the given categories");
    observed += disagreement(a, b, weights);
    leftCounts[a] = leftCounts[a]! + 1;
    rightCounts[b] = rightCounts[b]! + 1;
  }
  let expected = 0;
  for (let a = 0; a < levels.length; a++) {
    for (let b = 0; b < levels.length; b++) expected += leftCounts[a]! * rightCounts[b]! * disagreement(a, b, weights);
  }
  expected /= left.length;
  return expected === 0 ? notDefined("both raters always chose the same category") : defined(1 - observed / expected);
}

function disagreement(a: number, b: number, weights: KappaWeights): number {
  switch (weights) {
    case "none":
      return a === b ? 0 : 1;
    case "linear":
      return Math.abs(a - b);
    case "quadratic":
      return (a - b) ** 2;
    default:
      return weights satisfies never;
  }
}
