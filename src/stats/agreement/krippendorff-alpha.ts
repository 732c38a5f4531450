import { isPresent, type MaybeNumber } from "../complete-pairs.ts";
import { sum } from "../distribution/sum.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

export type MeasurementLevel = "nominal" | "ordinal" | "interval";

/**
 * Krippendorff's α: agreement of any number of raters, each of whom may have skipped units, beyond chance. One row per
 * rater, one column per unit. Units with fewer than two ratings say nothing and are left out. Undefined when all
 * ratings are one value. Checked against the worked example in Krippendorff, "Computing Krippendorff's
 * Alpha-Reliability" (2011).
 *
 * @example
 * ```ts
 * krippendorffAlpha([[1, 2, 3, null], [1, 2, 3, 3], [null, 2, 3, 3]]); // { value: 1 }
 * krippendorffAlpha([[1, 2, 3], [1, 2, 2]], "nominal"); // about { value: 0.545 }
 * ```
 */
export function krippendorffAlpha(
  ratings: readonly (readonly MaybeNumber[])[],
  level: MeasurementLevel = "ordinal",
): Statistic {
  const units = pairableUnits(ratings);
  if (units.length === 0) return notDefined("no unit was rated twice");
  const values = [...new Set(units.flat())].sort((a, b) => a - b);
  const totals = values.map((value) => sum(units.map((unit) => countOf(unit, value))));
  const pairable = sum(totals);
  const distance = squaredDistances(values, totals, level);
  let observed = 0;
  for (const unit of units) {
    const counts = values.map((value) => countOf(unit, value));
    observed += weightedPairs(counts, distance) / (unit.length - 1);
  }
  const expected = weightedPairs(totals, distance) / (pairable - 1);
  return expected === 0 ? notDefined("all ratings are one value") : defined(1 - observed / expected);
}

function pairableUnits(ratings: readonly (readonly MaybeNumber[])[]): number[][] {
  const units = ratings.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: units }, (_, unit) => ratings.map((row) => row[unit]).filter(isPresent)).filter(
    (unit) => unit.length > 1,
  );
}

function countOf(unit: readonly number[], value: number): number {
  return unit.filter((rating) => rating === value).length;
}

function weightedPairs(counts: readonly number[], distance: readonly (readonly number[])[]): number {
  let total = 0;
  counts.forEach((count, a) => {
    if (count === 0) return;
    counts.forEach((other, b) => {
      total += count * other * distance[a]![b]!;
    });
  });
  return total;
}

function squaredDistances(values: readonly number[], totals: readonly number[], level: MeasurementLevel): number[][] {
  return values.map((_, a) =>
    values.map((__, b) => squaredDistance(values, totals, Math.min(a, b), Math.max(a, b), level)),
  );
}

function squaredDistance(
  values: readonly number[],
  totals: readonly number[],
  low: number,
  high: number,
  level: MeasurementLevel,
): number {
  if (low === high) return 0;
  switch (level) {
    case "nominal":
      return 1;
    case "interval":
      return (values[high]! - values[low]!) ** 2;
    case "ordinal": {
      const between = sum(totals.slice(low, high + 1));
      return (between - (totals[low]! + totals[high]!) / 2) ** 2;
    }
    default:
      return level satisfies never;
  }
}
