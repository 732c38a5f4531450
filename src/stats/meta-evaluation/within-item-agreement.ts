import { seededRandom } from "../../core/random.ts";
import { mean } from "../distribution.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { completePairs, notDefined, type Statistic } from "../statistic.ts";
import {
  type AgreementOptions,
  CORRELATIONS,
  type Correlation,
  type CorrelationName,
  type Estimate,
  withInterval,
} from "./agreement.ts";
import { positionsByName, type RatedRows, selectRatedRows } from "./draws.ts";

export interface WithinItemAgreement {
  readonly items: number;
  /** Items for which the correlation is undefined; the number is the same for each correlation, except for rounding. */
  readonly skipped: number;
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  readonly kendall: Estimate;
}

/**
 * How well a metric ranks the systems on one item at a time, so that easy and hard items do not mix. The other order of
 * the papers: a correlation across systems within each item first, then the average over items. The interval draws
 * items.
 *
 * @example
 * ```ts
 * const columns = { human: Float64Array.of(1, 2, 4, 5), metric: Float64Array.of(0.1, 0.3, 0.2, 0.1) };
 * const rows = { ...columns, system: ["A", "B", "A", "B"], item: ["first", "first", "second", "second"] };
 * const options = { resamples: 0, confidence: 0.95, seed: 1, interval: "percentile", over: "items" } as const;
 * withinItemAgreement(rows, options).kendall.value; // 0: right on the first item, wrong on the second
 * ```
 */
export function withinItemAgreement(rows: RatedRows, options: AgreementOptions): WithinItemAgreement {
  const within = (name: CorrelationName) => correlationsWithinItems(rows, CORRELATIONS[name].compute);
  const estimate = ({ values }: { readonly values: Float64Array }) =>
    withInterval(averageWithinItems({ values }), () =>
      options.resamples === 0
        ? null
        : percentileBootstrap({
            draw: drawPositions(values.length),
            statistic: (positions) => averageWithinItems({ values: pick(values, positions) }),
            random: seededRandom(options.seed),
            resamples: options.resamples,
            level: options.confidence,
          }),
    );
  const kendall = within("kendall");
  return {
    items: kendall.values.length,
    skipped: kendall.skipped,
    pearson: estimate(within("pearson")),
    spearman: estimate(within("spearman")),
    kendall: estimate(kendall),
  };
}

function pick(values: Float64Array, positions: Uint32Array): Float64Array {
  return Float64Array.from(positions, (position) => values[position]!);
}

interface WithinItems {
  /** One correlation for each item that has one. */
  readonly values: Float64Array;
  /** Items whose systems do not differ, or with fewer than two rated. */
  readonly skipped: number;
}

/** The correlation across systems within each item. */
function correlationsWithinItems(rows: RatedRows, correlation: Correlation): WithinItems {
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

function averageWithinItems({ values }: { readonly values: ArrayLike<number> }): Statistic {
  return values.length === 0 ? notDefined("no item has systems that differ") : { value: mean(values) };
}
