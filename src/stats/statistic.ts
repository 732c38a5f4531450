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

export function defined(value: number): Statistic {
  return Number.isFinite(value) ? { value } : notDefined("the arithmetic left the range of finite numbers");
}

export function notDefined(reason: string): UndefinedStatistic {
  return { value: null, reason };
}

export function isDefined<S extends { readonly value: number | null }>(
  statistic: S,
): statistic is Extract<S, { readonly value: number }> {
  return statistic.value !== null;
}
