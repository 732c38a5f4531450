import { seededRandom } from "../../core/random.ts";
import { drawPositions, percentileBootstrap } from "../resampling/percentile-bootstrap.ts";
import { type AgreementOptions, type Estimate, withInterval } from "./agreement.ts";
import { CORRELATIONS, type CorrelationName } from "./correlations.ts";
import type { RatedRows } from "./rated-rows.ts";
import { averageWithinItems, correlationsWithinItems } from "./within-items.ts";

export interface WithinItemAgreement {
  readonly items: number;
  /** Items on which the correlation is undefined, for each correlation alike but for rounding. */
  readonly skipped: number;
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  readonly kendall: Estimate;
}

/**
 * The other order of the papers: a correlation across systems within each item first, then the average over items.
 * The interval draws items.
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
