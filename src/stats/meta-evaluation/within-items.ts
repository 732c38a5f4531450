import { completePairs } from "../complete-pairs.ts";
import { mean } from "../distribution/mean.ts";
import { notDefined, type Statistic } from "../statistic.ts";
import type { Correlation } from "./correlations.ts";
import { positionsByName, type RatedRows, selectRatedRows } from "./rated-rows.ts";

export interface WithinItems {
  /** One correlation per item that has one. */
  readonly values: Float64Array;
  /** Items whose systems do not differ, or of which fewer than two were rated. */
  readonly skipped: number;
}

/** The correlation across systems within each item, item by item. */
export function correlationsWithinItems(rows: RatedRows, correlation: Correlation): WithinItems {
  if (!rows.item) throw new RangeError("correlations within items need a column of items");
  const values: number[] = [];
  let skipped = 0;
  for (const positions of positionsByName(rows.item).values()) {
    const { human, metric } = selectRatedRows(rows, positions);
    const pairs = completePairs(human, metric);
    const { value } = correlation(pairs.left, pairs.right);
    if (value === null) skipped++;
    else values.push(value);
  }
  return { values: Float64Array.from(values), skipped };
}

export function averageWithinItems({ values }: { readonly values: ArrayLike<number> }): Statistic {
  return values.length === 0 ? notDefined("no item has systems that differ") : { value: mean(values) };
}
