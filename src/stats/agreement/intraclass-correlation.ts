import { mean } from "../distribution/mean.ts";
import { sum } from "../distribution/sum.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

/**
 * `one-way`: each item had its own raters. `random`: the same raters saw every item and stand for others like them, so
 * their levels count. `fixed`: these raters are the only ones of interest; only their consistency counts.
 */
export type IntraclassModel = "one-way" | "random" | "fixed";

export interface IntraclassOptions {
  readonly model: IntraclassModel;
  /** Reliability of one rater, or of the average over all of them. */
  readonly unit?: "single" | "average";
}

/**
 * How reliable numeric ratings are: the share of their variance that comes from the items and not from the raters or
 * noise. The intraclass correlations of Shrout and Fleiss (1979), from the two-way analysis of variance. One row per
 * item, one column per rater, nothing missing. Checked against the data and values printed in their paper.
 *
 * @example
 * ```ts
 * const ratings = [[1, 2], [3, 4], [5, 6]]; // one row per item; the second rater always gives one point more
 * intraclassCorrelation(ratings, { model: "fixed" }); // { value: 1 }: perfectly consistent
 * intraclassCorrelation(ratings, { model: "random" }); // about { value: 0.889 }: the levels differ
 * ```
 */
export function intraclassCorrelation(items: readonly (readonly number[])[], options: IntraclassOptions): Statistic {
  const raters = items[0]?.length ?? 0;
  if (items.length < 2 || raters < 2) return notDefined("at least two items and two raters are needed");
  if (items.some((row) => row.length !== raters)) throw new RangeError("every item needs a rating by every rater");
  const { betweenItems, betweenRaters, withinItems, residual } = meanSquares(items, raters);
  const single = (options.unit ?? "single") === "single";
  switch (options.model) {
    case "one-way":
      return ratio(betweenItems - withinItems, single ? betweenItems + (raters - 1) * withinItems : betweenItems);
    case "random": {
      const raterShare = (betweenRaters - residual) / items.length;
      const noise = single ? (raters - 1) * residual + raters * raterShare : raterShare;
      return ratio(betweenItems - residual, betweenItems + noise);
    }
    case "fixed":
      return ratio(betweenItems - residual, single ? betweenItems + (raters - 1) * residual : betweenItems);
    default:
      return options.model satisfies never;
  }
}

function ratio(numerator: number, denominator: number): Statistic {
  return denominator === 0 ? notDefined("the items do not differ") : defined(numerator / denominator);
}

function meanSquares(items: readonly (readonly number[])[], raters: number) {
  const n = items.length;
  const grand = mean(items.flat());
  const itemMeans = items.map((row) => mean(row));
  const raterMeans = Array.from({ length: raters }, (_, rater) => mean(items.map((row) => row[rater]!)));
  const squares = (values: readonly number[]) => sum(values.map((value) => value * value));
  const total = squares(items.flat().map((rating) => rating - grand));
  const ofItems = raters * squares(itemMeans.map((value) => value - grand));
  const ofRaters = n * squares(raterMeans.map((value) => value - grand));
  return {
    betweenItems: ofItems / (n - 1),
    betweenRaters: ofRaters / (raters - 1),
    withinItems: (total - ofItems) / (n * (raters - 1)),
    residual: (total - ofItems - ofRaters) / ((n - 1) * (raters - 1)),
  };
}
