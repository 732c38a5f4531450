import { studentTwoSided } from "../special/student-t.ts";
import { notDefined, type UndefinedStatistic } from "../statistic.ts";

export interface WilliamsTest {
  readonly t: number;
  readonly degreesOfFreedom: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Williams' test (1959) of two correlations that share a variable: does `first` correlate with the human ratings more
 * than `second`, given how the two correlate with each other? The form that Steiger (1980) recommends and the machine
 * translation metrics tasks use. Meant for Pearson's correlation. Checked against R's `psych::r.test`.
 *
 * @example
 * ```ts
 * const test = williamsTest({ first: 0.8, second: 0.6, between: 0.5, n: 50 });
 * if ("p" in test) console.log(test.p); // about 0.024
 * ```
 */
export function williamsTest(correlations: {
  readonly first: number;
  readonly second: number;
  readonly between: number;
  readonly n: number;
}): WilliamsTest | UndefinedStatistic {
  const { first, second, between, n } = correlations;
  if (n < 4) return notDefined("Williams' test needs at least four items");
  if (between >= 1) return notDefined("the two metrics are one and the same");
  const determinant = 1 - first ** 2 - second ** 2 - between ** 2 + 2 * first * second * between;
  const average = (first + second) / 2;
  const noise = (2 * determinant * (n - 1)) / (n - 3) + average ** 2 * (1 - between) ** 3;
  if (!(noise > 0)) return notDefined("the three correlations leave nothing unexplained");
  const t = (first - second) * Math.sqrt(((n - 1) * (1 + between)) / noise);
  return { t, degreesOfFreedom: n - 3, p: studentTwoSided(t, n - 3) };
}
