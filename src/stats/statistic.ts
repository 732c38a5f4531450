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

/** A value in a table: a missing one is `null`, `undefined` or NaN, never 0. */
export type MaybeNumber = number | null | undefined;

export interface CompletePairs {
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** The position of each kept pair in the input. */
  readonly positions: Uint32Array;
  readonly missing: number;
}

/**
 * The pairs in which both values are there, with the count of those that are not. The correlations refuse a missing
 * value, so the caller reports here what was left out.
 *
 * @example
 * ```ts
 * const { left, right, missing } = completePairs([1, null, 3], [4, 5, Number.NaN]);
 * missing; // 2: only the pair 1 and 4 is complete
 * ```
 */
export function completePairs(left: ArrayLike<MaybeNumber>, right: ArrayLike<MaybeNumber>): CompletePairs {
  requireEqualLengths(left, right);
  const kept: number[] = [];
  for (let i = 0; i < left.length; i++) if (isPresent(left[i]) && isPresent(right[i])) kept.push(i);
  return {
    left: Float64Array.from(kept, (position) => Number(left[position])),
    right: Float64Array.from(kept, (position) => Number(right[position])),
    positions: Uint32Array.from(kept),
    missing: left.length - kept.length,
  };
}

/**
 * Whether there is a value at all: `null`, `undefined` and NaN are absent, 0 is not. It narrows the type, so it works
 * as a filter.
 *
 * @example
 * ```ts
 * [4, null, 0, Number.NaN].filter(isPresent); // [4, 0]
 * ```
 */
export function isPresent(value: MaybeNumber): value is number {
  return value !== null && value !== undefined && !Number.isNaN(value);
}

export function requireEqualLengths(left: ArrayLike<unknown>, right: ArrayLike<unknown>): void {
  if (left.length !== right.length) {
    throw new RangeError(`paired values must come in equal numbers: ${left.length} and ${right.length} were given`);
  }
}
