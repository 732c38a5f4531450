import { mean, variance } from "../distribution.ts";
import { studentTwoSided } from "../special/student-t.ts";
import { notDefined, type UndefinedStatistic } from "../statistic.ts";

export interface WelchTest {
  readonly difference: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * The same with the degrees of freedom of the smaller sample, which holds its level for any variances and any sizes. Two or
 * three values may lie close together by chance; Welch's own degrees then follow the large sample, as if the small one were
 * known exactly, and a fifth of the families of such tests finds a difference where none is.
 */
export function cautiousWelchTest(left: ArrayLike<number>, right: ArrayLike<number>): WelchTest | UndefinedStatistic {
  const test = welchTest(left, right);
  if (!("p" in test)) return test;
  const degreesOfFreedom = Math.min(left.length, right.length) - 1;
  return { ...test, degreesOfFreedom, p: studentTwoSided(test.difference / test.standardError, degreesOfFreedom) };
}

/** Do two independent samples differ in their means, whatever their variances (Welch 1947)? As R's `t.test`. */
export function welchTest(left: ArrayLike<number>, right: ArrayLike<number>): WelchTest | UndefinedStatistic {
  if (left.length < 2 || right.length < 2) return notDefined("Welch's test needs two values on each side");
  const [one, other] = [variance(left) / left.length, variance(right) / right.length];
  const difference = mean(left) - mean(right);
  const square = one + other;
  if (square === 0) return notDefined("neither side varies");
  const degreesOfFreedom = square ** 2 / (one ** 2 / (left.length - 1) + other ** 2 / (right.length - 1));
  const standardError = Math.sqrt(square);
  return {
    difference,
    standardError,
    degreesOfFreedom,
    p: studentTwoSided(difference / standardError, degreesOfFreedom),
  };
}
