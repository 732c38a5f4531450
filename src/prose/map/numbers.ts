import * as stats from "../../stats/distribution.ts";

/** Statistics of lists that may be empty, for which the result is null, never zero. */
export const mean = (values: readonly number[]) => (values.length === 0 ? null : stats.mean(values));
export const median = (values: readonly number[]) => (values.length === 0 ? null : stats.median(values));
export const quantile = (values: readonly number[], share: number) =>
  values.length === 0 ? null : stats.quantile(values, share);

/** The coefficient of variation: standard deviation divided by the mean. */
export function variation(values: readonly number[]): number | null {
  const average = mean(values);
  if (average === null || average === 0 || values.length < 2) return null;
  const squares = stats.sumBy(values, (value) => (value - average) ** 2);
  return Math.sqrt(squares / (values.length - 1)) / average;
}

export const rate = (count: number, words: number) => (words === 0 ? null : (1000 * count) / words);

export function rounded(value: number, digits?: number): number;
export function rounded(value: number | null, digits?: number): number | null;
export function rounded(value: number | null, digits = 4): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toFixed(digits));
}
