import { groupBy } from "../../core/group-by.ts";
import { requireEqualLengths } from "../complete-pairs.ts";

/** Scores beside human ratings, one row per judged text; NaN where a value is missing. */
export interface RatedRows {
  readonly human: Float64Array;
  readonly metric: Float64Array;
  /** Who wrote each text; null when that is not known or does not matter. */
  readonly system: readonly string[] | null;
  /** What each text answers to (a prompt, a source): what several systems were given alike. */
  readonly item: readonly string[] | null;
}

export function requireRatedRows({ human, metric, system, item }: RatedRows): void {
  for (const column of [metric, system, item]) if (column) requireEqualLengths(human, column);
}

export function selectRatedRows(rows: RatedRows, positions: readonly number[]): RatedRows {
  const names = (column: readonly string[] | null) => column && positions.map((position) => column[position]!);
  return {
    human: Float64Array.from(positions, (position) => rows.human[position]!),
    metric: Float64Array.from(positions, (position) => rows.metric[position]!),
    system: names(rows.system),
    item: names(rows.item),
  };
}

/** The positions of each name's rows, names in order of appearance. */
export function positionsByName(names: readonly string[]): Map<string, number[]> {
  return groupBy(names.keys(), (position) => names[position]!);
}
