/**
 * A figure that may not exist. The correlation of a constant column is neither 0 nor NaN: it is undefined, and says why.
 * The shape is the one that reports and `--json` show, so a gap stays a gap all the way to the reader.
 */
export type Statistic = DefinedStatistic | UndefinedStatistic;

export interface DefinedStatistic {
  readonly value: number;
}

export interface UndefinedStatistic {
  readonly value: null;
  readonly reason: string;
}

/**
 * Wraps a number as a statistic. A number that is not finite becomes an undefined statistic, so it never reaches a
 * report.
 *
 * @example
 * ```ts
 * defined(0.8); // { value: 0.8 }
 * defined(0 / 0).value; // null
 * ```
 */
export function defined(value: number): Statistic {
  return Number.isFinite(value) ? { value } : notDefined("the arithmetic left the range of finite numbers");
}

/**
 * A statistic that does not exist for these data, with the reason that reports show in its place.
 *
 * @example
 * ```ts
 * notDefined("the first column is constant"); // { value: null, reason: "the first column is constant" }
 * ```
 */
export function notDefined(reason: string): UndefinedStatistic {
  return { value: null, reason };
}

/**
 * Whether a statistic has a value. It narrows the type, so it works in a condition and as a filter.
 *
 * @example
 * ```ts
 * const agreement = pearson([1, 2, 3], [2, 4, 6]);
 * console.log(isDefined(agreement) ? agreement.value : agreement.reason);
 * ```
 */
export function isDefined<S extends { readonly value: number | null }>(
  statistic: S,
): statistic is Extract<S, { readonly value: number }> {
  return statistic.value !== null;
}
