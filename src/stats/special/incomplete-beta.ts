import { logGamma } from "./log-gamma.ts";

const SMALLEST = 1e-300;
const PRECISION = 1e-15;
const MAXIMUM_TERMS = 10_000;

/** The regularised incomplete beta function Iₓ(a, b), by Lentz's continued fraction. Checked against `scipy.special.betainc`. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1)) throw new RangeError(`the incomplete beta function is defined on [0, 1], not at ${x}`);
  if (x === 0 || x === 1) return x;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast on the side of the mean; the other side follows by symmetry.
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
