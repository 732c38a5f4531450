import { mean, standardDeviation } from "../distribution.ts";

/** Lanczos' approximation (g = 7, nine terms): relative error below 1e-13 for positive arguments. */
const COEFFICIENTS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
] as const;

export function logGamma(value: number): number {
  if (!(value > 0)) throw new RangeError("the log-gamma function is used for positive numbers only");
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value);
  const shifted = value - 1;
  const base = shifted + 7.5;
  let series: number = COEFFICIENTS[0];
  for (let term = 1; term < COEFFICIENTS.length; term++) series += COEFFICIENTS[term]! / (shifted + term);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series);
}

const SMALLEST = 1e-300;
const PRECISION = 1e-15;
const MAXIMUM_TERMS = 10_000;

/** The regularised incomplete beta function Iₓ(a, b), by Lentz's continued fraction. Checked against `scipy.special.betainc`. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1)) throw new RangeError(`the incomplete beta function is defined on [0, 1], not at ${x}`);
  if (x === 0 || x === 1) return x;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast on one side of the mean; the other side follows by symmetry.
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

function continuedFraction(x: number, a: number, b: number): number {
  let numerator = 1;
  let denominator = awayFromZero(1 - ((a + b) * x) / (a + 1));
  denominator = 1 / denominator;
  let result = denominator;
  for (let m = 1; m < MAXIMUM_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / awayFromZero(1 + even * denominator);
    numerator = awayFromZero(1 + even / numerator);
    result *= denominator * numerator;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / awayFromZero(1 + odd * denominator);
    numerator = awayFromZero(1 + odd / numerator);
    const change = denominator * numerator;
    result *= change;
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return result;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}

/**
 * The chance that Student's t with these degrees of freedom lies at least this far from 0, on either side. It is the
 * two-sided p-value of a t test.
 *
 * @example
 * ```ts
 * studentTwoSided(2.228, 10); // about 0.05
 * ```
 */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  if (!(degreesOfFreedom > 0)) throw new RangeError("Student's t needs positive degrees of freedom");
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

const knownQuantiles = new Map<string, number>();

/**
 * The 97.5 % quantile of Student's t, the factor of a 95 % interval, by bisection on its tail probability. It is found
 * once per number of degrees, because a report asks for the same few again and again.
 */
export function studentQuantile(degreesOfFreedom: number, outside = 0.05): number {
  const key = `${degreesOfFreedom} ${outside}`;
  const ready = knownQuantiles.get(key);
  if (ready !== undefined) return ready;
  let low = 0;
  let high = 1000;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degreesOfFreedom) > outside) low = middle;
    else high = middle;
  }
  knownQuantiles.set(key, high);
  return high;
}

/**
 * Cached, because tables need thousands of intervals with the same few degrees of freedom, and computing the quantile
 * is slow.
 */
const quantiles = new Map<number, number>();
const MOST_QUANTILES = 1000;

function quantileOf(degreesOfFreedom: number): number {
  const known = quantiles.get(degreesOfFreedom);
  if (known !== undefined) return known;
  if (quantiles.size >= MOST_QUANTILES) quantiles.clear();
  const found = studentQuantile(degreesOfFreedom);
  quantiles.set(degreesOfFreedom, found);
  return found;
}

/** Student's 95 % interval around an estimate whose standard error was itself estimated with these degrees of freedom. */
export function studentInterval(estimate: number, standardError: number, degreesOfFreedom: number): [number, number] {
  const half = quantileOf(degreesOfFreedom) * standardError;
  return [estimate - half, estimate + half];
}

/** Limits an interval to a scale, since Student's t does not know its ends. */
export function withinScale(
  interval: readonly [number, number] | null,
  lowest: number,
  highest: number,
): readonly [number, number] | null {
  return interval && [Math.max(lowest, interval[0]), Math.min(highest, interval[1])];
}

/**
 * Student's 95 % interval of a mean; null for fewer than two values or equal ones, which say nothing about their
 * spread.
 */
export function meanInterval(values: readonly number[]): [number, number] | null {
  const count = values.length;
  if (count < 2) return null;
  const deviation = standardDeviation(values);
  return deviation > 0 ? studentInterval(mean(values), deviation / Math.sqrt(count), count - 1) : null;
}
