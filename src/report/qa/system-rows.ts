import type { ReferenceRule } from "../../qa/metrics/reference-rule.ts";
import type { SystemComparison } from "../../qa/scoring/compare-systems.ts";
import type { TableColumn, TableRow } from "../tables/leaderboard-rows.ts";

export const SYSTEM_COLUMNS: readonly TableColumn[] = [
  { name: "kind", type: "STRING" },
  { name: "metric", type: "STRING" },
  { name: "system", type: "STRING" },
  { name: "less", type: "STRING" },
  { name: "value", type: "DOUBLE" },
  { name: "low", type: "DOUBLE" },
  { name: "high", type: "DOUBLE" },
  { name: "p", type: "DOUBLE" },
  { name: "questions", type: "DOUBLE" },
  { name: "references", type: "STRING" },
  { name: "drawn", type: "STRING" },
];

/**
 * The table of systems for programs: a row for each system's mean of each metric, and one for the difference of every two
 * systems (`system` less `less`, with its corrected p). Nothing stands where there is nothing to say.
 */
export function* systemRows(
  { systems, differences, over }: SystemComparison,
  references: ReferenceRule,
): Generator<TableRow> {
  const common = { references, drawn: over };
  for (const { system, metrics } of systems) {
    for (const [metric, { mean, interval, n }] of Object.entries(metrics)) {
      if (n === 0) continue;
      yield { kind: "mean", metric, system, value: mean, ...range(interval), questions: n, ...common };
    }
  }
  for (const { metric, left, right, difference, interval, p, n } of differences) {
    const pair = { kind: "difference", metric, system: left, less: right };
    yield { ...pair, value: difference, ...range(interval), p, questions: n, ...common };
  }
}

function range(interval: readonly [number, number] | null) {
  return interval === null ? {} : { low: interval[0], high: interval[1] };
}
