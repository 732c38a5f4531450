import { sum } from "../distribution/sum.ts";
import { positionsByName, type RatedRows } from "./rated-rows.ts";

export interface SystemAverages {
  readonly systems: readonly string[];
  /** NaN for a system of which nothing was rated. */
  readonly human: Float64Array;
  readonly metric: Float64Array;
}

/**
 * Each system's average rating and average score: what is correlated at system level, averages first. Each average is
 * over the rows in which its own column is there, as the papers' data frames do it.
 */
export function systemAverages(rows: RatedRows): SystemAverages {
  if (!rows.system) throw new RangeError("system averages need a column of systems");
  const groups = [...positionsByName(rows.system)];
  return {
    systems: groups.map(([system]) => system),
    human: Float64Array.from(groups, ([, positions]) => averageAt(rows.human, positions)),
    metric: Float64Array.from(groups, ([, positions]) => averageAt(rows.metric, positions)),
  };
}

/** The mean of what is there among the values at the positions; NaN when nothing is. */
function averageAt(values: Float64Array, positions: ArrayLike<number>): number {
  const present: number[] = [];
  for (let i = 0; i < positions.length; i++) {
    const value = values[positions[i]!]!;
    if (!Number.isNaN(value)) present.push(value);
  }
  return present.length === 0 ? Number.NaN : sum(present) / present.length;
}
