import { normalCumulative } from "./normal.ts";
import { logGamma } from "./student-t.ts";

/** Sixteen points of the Gauss–Legendre rule on [−1, 1]: the positive half of a symmetric rule. */
const NODES = [
  0.09501250983763744, 0.2816035507792589, 0.45801677765722737, 0.6178762444026438, 0.755404408355003,
  0.8656312023878318, 0.9445750230732326, 0.9894009349916499,
] as const;
const WEIGHTS = [
  0.1894506104550685, 0.18260341504492358, 0.16915651939500254, 0.14959598881657674, 0.12462897125553388,
  0.09515851168249279, 0.062253523938647894, 0.027152459411754096,
] as const;

function integral(density: (at: number) => number, from: number, to: number, pieces: number): number {
  const half = (to - from) / pieces / 2;
  let total = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const middle = from + (2 * piece + 1) * half;
    for (let node = 0; node < NODES.length; node++) {
      const step = half * NODES[node]!;
      total += WEIGHTS[node]! * (density(middle - step) + density(middle + step));
    }
  }
  return total * half;
}

/** Widths are tabulated up to here; the probability of a wider range is negligible. */
const WIDEST = 24;
const STEP = 0.02;
const tables = new Map<number, Float64Array>();

/** The probability that the range of this many standard normal values stays below each width of the table. */
function tableOf(means: number): Float64Array {
  const known = tables.get(means);
  if (known) return known;
  const table = Float64Array.from({ length: WIDEST / STEP + 4 }, (_, at) => {
    const width = at * STEP;
    const density = (value: number) =>
      Math.exp((-value * value) / 2) * (normalCumulative(value) - normalCumulative(value - width)) ** (means - 1);
    return (means * integral(density, -8, 8, 6)) / Math.sqrt(2 * Math.PI);
  });
  tables.set(means, table);
  return table;
}

/** The probability for any width, by cubic interpolation in the table. */
function rangeBelow(width: number, means: number): number {
  if (width <= 0) return 0;
  if (width >= WIDEST) return 1;
  const table = tableOf(means);
  const at = Math.max(1, Math.floor(width / STEP));
  const x = width / STEP - at;
  const [before, low, high, after] = [table[at - 1]!, table[at]!, table[at + 1]!, table[at + 2]!];
  return Math.min(
    1,
    (-before * x * (x - 1) * (x - 2)) / 6 +
      (low * (x + 1) * (x - 1) * (x - 2)) / 2 -
      (high * (x + 1) * x * (x - 2)) / 2 +
      (after * (x + 1) * x * (x - 1)) / 6,
  );
}

/**
 * The chance that the largest of all differences between so many equal means, in standard errors of one mean that were
 * estimated with these degrees of freedom, is at least this large: the p-value of Tukey's and of Games and Howell's
 * comparisons of every two means. Checked against `scipy.stats.studentized_range`.
 */
export function studentizedRangeAbove(range: number, means: number, degreesOfFreedom: number): number {
  if (!(means >= 2 && degreesOfFreedom > 0)) throw new RangeError("a range needs two means and degrees of freedom");
  if (!(range > 0)) return 1;
  if (degreesOfFreedom > 5000) return 1 - rangeBelow(range, means);
  // The scale s of the standard error has s²ν distributed as χ² with ν degrees: integrate over log s around its mode.
  const half = degreesOfFreedom / 2;
  const constant = Math.log(2) + half * Math.log(half) - logGamma(half);
  const density = (log: number) => {
    const scale = Math.exp(log);
    const weight = Math.exp(constant + degreesOfFreedom * log - half * scale * scale);
    return weight < 1e-18 ? 0 : weight * (1 - rangeBelow(range * scale, means));
  };
  const spread = 1 / Math.sqrt(2 * degreesOfFreedom);
  const low = Math.max(-25, -12 * spread - 20 / degreesOfFreedom);
  return Math.min(1, Math.max(0, integral(density, low, Math.min(3, 10 * spread), 12)));
}
