import { countLeading } from "../core/count-leading.ts";
import { type Random, randomInteger } from "../core/random.ts";
import { mean, quantiles, sum } from "./distribution.ts";
import { normalCumulative, normalQuantile } from "./special/normal.ts";
import { studentInterval, studentTwoSided } from "./special/student-t.ts";
import type { Statistic } from "./statistic.ts";

export interface BootstrapOptions<Sample> {
  /** Draws one sample of the kind the statistic takes: rows, systems, or both (see `draws.ts`). */
  readonly draw: (random: Random) => Sample;
  readonly statistic: (sample: Sample) => Statistic;
  readonly random: Random;
  readonly resamples?: number;
  /** 0.95 leaves 2.5% out on either side. */
  readonly level?: number;
}

export type BootstrapInterval =
  | { readonly interval: readonly [number, number]; readonly resamples: number; readonly skipped: number }
  | { readonly interval: null; readonly reason: string; readonly resamples: number; readonly skipped: number };

export const DEFAULT_RESAMPLES = 2000;
export const DEFAULT_LEVEL = 0.95;

/**
 * Efron's percentile interval: where the middle share of the statistic falls over samples drawn with replacement. A
 * resample on which the statistic is undefined is skipped and counted; when that is most of them, there is no interval.
 * Pass a seeded `random` to get the same interval again.
 *
 * @example
 * ```ts
 * const statistic = resampledSpearman([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5]);
 * const { interval } = percentileBootstrap({ draw: drawPositions(6), statistic, random: Math.random });
 * ```
 */
export function percentileBootstrap<Sample>(options: BootstrapOptions<Sample>): BootstrapInterval {
  const { replicates, resamples, skipped } = bootstrapReplicates(options);
  if (replicates.length * 2 <= resamples) return noInterval(resamples, skipped);
  const tail = (1 - (options.level ?? DEFAULT_LEVEL)) / 2;
  const [lower, upper] = quantiles(replicates, [tail, 1 - tail]);
  return { interval: [lower!, upper!], resamples, skipped };
}

export function bootstrapReplicates<Sample>({ draw, statistic, random, resamples }: BootstrapOptions<Sample>) {
  const count = resamples ?? DEFAULT_RESAMPLES;
  if (!(count >= 1)) throw new RangeError("a bootstrap needs at least one resample");
  const replicates = new Float64Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const { value } = statistic(draw(random));
    if (value !== null) replicates[kept++] = value;
  }
  return { replicates: replicates.subarray(0, kept), resamples: count, skipped: count - kept };
}

export function noInterval(resamples: number, skipped: number): BootstrapInterval {
  return { interval: null, reason: "undefined on most resamples", resamples, skipped };
}

/**
 * Draws `size` positions below `size` with replacement: the rows of one bootstrap sample.
 *
 * @example
 * ```ts
 * const draw = drawPositions(4);
 * draw(Math.random); // for example Uint32Array [2, 0, 2, 3]
 * ```
 */
export function drawPositions(size: number): (random: Random) => Uint32Array {
  return (random) => {
    const positions = new Uint32Array(size);
    for (let i = 0; i < size; i++) positions[i] = randomInteger(random, size);
    return positions;
  };
}

export interface BcaOptions<Sample> extends BootstrapOptions<Sample> {
  /** The original sample. */
  readonly observed: Sample;
  /** The original sample with one unit left out, for every unit. */
  readonly leaveOneOut: Iterable<Sample>;
}

/**
 * Efron's bias-corrected and accelerated interval (1987): the percentile interval, its ends moved by how far the
 * replicates sit to one side of the observed value and by how its error changes with it (from the jackknife). Checked
 * against `scipy.stats.bootstrap`. Falls back on nothing: where it is undefined, it says why. Use it instead of the
 * percentile interval when the statistic is skewed, such as a correlation near 1.
 *
 * @example
 * ```ts
 * const observed = [3, 5, 6, 8, 9];
 * const leaveOneOut = observed.map((left) => observed.filter((score) => score !== left));
 * const draw = (random: () => number) => observed.map(() => observed[Math.floor(random() * observed.length)]!);
 * const statistic = (sample: readonly number[]) => defined(mean(sample));
 * bcaBootstrap({ observed, leaveOneOut, draw, statistic, random: Math.random }).interval;
 * ```
 */
export function bcaBootstrap<Sample>(options: BcaOptions<Sample>): BootstrapInterval {
  const { replicates, resamples, skipped } = bootstrapReplicates(options);
  if (replicates.length * 2 <= resamples) return noInterval(resamples, skipped);
  const observed = options.statistic(options.observed);
  if (observed.value === null) return { interval: null, reason: observed.reason, resamples, skipped };
  const left: number[] = [];
  for (const sample of options.leaveOneOut) {
    const { value } = options.statistic(sample);
    if (value !== null) left.push(value);
  }
  const ends = bcaShares(replicates, observed.value, left, options.level ?? DEFAULT_LEVEL);
  if (ends === null) {
    return { interval: null, reason: "all resamples lie on one side of the observed value", resamples, skipped };
  }
  const [lower, upper] = quantiles(replicates, ends);
  return { interval: [lower!, upper!], resamples, skipped };
}

/** Which quantiles of the replicates bound the interval; null if every replicate lies beyond the observed value. */
export function bcaShares(
  replicates: Float64Array,
  observed: number,
  leftOneOut: readonly number[],
  level: number,
): [number, number] | null {
  let below = 0;
  for (const value of replicates) below += value < observed ? 1 : value === observed ? 0.5 : 0;
  const share = below / replicates.length;
  if (share === 0 || share === 1) return null;
  const bias = normalQuantile(share);
  const acceleration = accelerationOf(leftOneOut);
  const moved = (tail: number) => {
    const z = bias + normalQuantile(tail);
    return normalCumulative(bias + z / (1 - acceleration * z));
  };
  const tail = (1 - level) / 2;
  return [moved(tail), moved(1 - tail)];
}

function accelerationOf(leftOneOut: readonly number[]): number {
  if (leftOneOut.length < 2) return 0;
  const centre = mean(leftOneOut);
  const cubes = sum(leftOneOut.map((value) => (centre - value) ** 3));
  const squares = sum(leftOneOut.map((value) => (centre - value) ** 2));
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/**
 * Resamples of clusters: how often each cluster is drawn in each resample. Questions about one book are correlated,
 * so whole books are drawn; all columns share the same resamples, which pairs comparisons of columns.
 */
export interface ClusterDraws {
  readonly clusters: number;
  readonly resamples: number;
  /** Row by row, one per resample. */
  readonly counts: Uint16Array;
}

export function drawClusters(clusters: number, resamples: number, random: Random): ClusterDraws {
  const counts = new Uint16Array(clusters * resamples);
  for (let row = 0; row < resamples; row++) {
    for (let drawn = 0; drawn < clusters; drawn++) counts[row * clusters + randomInteger(random, clusters)]!++;
  }
  return { clusters, resamples, counts };
}

/** A column of values as the sum and the number of values in each cluster, without missing values (NaN). */
export interface ClusterTotals {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
}

export function clusterTotals(values: Float64Array, clusterOf: Uint32Array, clusters: number): ClusterTotals {
  const sums = new Float64Array(clusters);
  const sizes = new Float64Array(clusters);
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (Number.isNaN(value)) continue;
    sums[clusterOf[index]!]! += value;
    sizes[clusterOf[index]!]! += 1;
  }
  return { sums, sizes };
}

/** The mean over all values of each resample; NaN if no cluster in it has a value. */
export function resampledMeans({ sums, sizes }: ClusterTotals, draws: ClusterDraws): Float64Array {
  const resampledSizes = resampledTotals(sizes, draws);
  return resampledTotals(sums, draws).map((total, row) => total / resampledSizes[row]!);
}

/** The sum over the clusters of each resample. */
export function resampledTotals(ofClusters: Float64Array, { clusters, resamples, counts }: ClusterDraws): Float64Array {
  const totals = new Float64Array(resamples);
  for (let row = 0; row < resamples; row++) {
    let total = 0;
    const start = row * clusters;
    for (let cluster = 0; cluster < clusters; cluster++) total += counts[start + cluster]! * ofClusters[cluster]!;
    totals[row] = total;
  }
  return totals;
}

const TAIL = 0.025;

/** The middle 95 % of the replicates; null if most of them are undefined. */
export function middleOf(replicates: Float64Array): readonly [number, number] | null {
  const present = replicates.filter((value) => !Number.isNaN(value));
  if (present.length * 2 <= replicates.length) return null;
  const [lower, upper] = quantiles(present, [TAIL, 1 - TAIL]);
  return [lower!, upper!];
}

/** A mean over clustered values, with what is needed for its interval and its test. */
export interface ClusteredMean {
  readonly mean: number;
  readonly n: number;
  /** How many clusters have a value. */
  readonly clusters: number;
  /**
   * Estimated from the clusters' deviations from the mean, with one degree of freedom less than there are clusters:
   * with one value in each, it is the standard error of a paired t-test. Zero if no cluster differs from the others.
   */
  readonly standardError: number;
}

/** Rounding leaves a small spread even if there is none. */
const NO_SPREAD = 1e-12;

export function clusteredMean({ sums, sizes }: ClusterTotals): ClusteredMean {
  let [total, n, clusters] = [0, 0, 0];
  for (let cluster = 0; cluster < sizes.length; cluster++) {
    if (sizes[cluster] === 0) continue;
    total += sums[cluster]!;
    n += sizes[cluster]!;
    clusters += 1;
  }
  const mean = total / n;
  let squares = 0;
  for (let cluster = 0; cluster < sizes.length; cluster++) squares += (sums[cluster]! - sizes[cluster]! * mean) ** 2;
  const standardError = clusters < 2 ? Number.NaN : Math.sqrt((squares * clusters) / (clusters - 1)) / n;
  return { mean, n, clusters, standardError: standardError <= NO_SPREAD * Math.abs(mean) ? 0 : standardError };
}

/** Two-sided test of a mean difference against zero: Student's t over the compared clusters. */
export function differenceP({ mean, standardError, clusters }: ClusteredMean): number {
  if (clusters < 2) return 1;
  // If the difference is the same in every cluster, p must not be lower than a sign test could give.
  if (!(standardError > 0)) return mean === 0 ? 1 : 2 ** (1 - clusters);
  return studentTwoSided(mean / standardError, clusters - 1);
}

/**
 * The 95 % interval that matches `differenceP`: it excludes zero exactly if p is below 0.05. Null if the difference
 * is the same in every cluster, which says nothing about its spread.
 */
export function differenceInterval({ mean, standardError, clusters }: ClusteredMean): readonly [number, number] | null {
  if (standardError > 0) return studentInterval(mean, standardError, clusters - 1);
  return mean === 0 ? [0, 0] : null;
}

/**
 * Draws cases that are crossed in two ways, such as ratings by readers and of books: both sides are drawn with replacement,
 * and a case comes as often as its row was drawn times its column was. Drawing one side alone takes the other for fixed and
 * gives intervals that are too narrow (Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1, 2007).
 *
 * @example
 * ```ts
 * const draw = drawTwoWays(["ana", "ana", "ben"], ["emma", "ulysses", "emma"]);
 * const cases = draw(Math.random); // positions of the cases drawn, such as 0, 0, 2
 * ```
 */
export function drawTwoWays(
  rows: ArrayLike<PropertyKey>,
  columns: ArrayLike<PropertyKey>,
): (random: Random) => Uint32Array {
  if (rows.length !== columns.length) throw new RangeError("each case needs a row and a column");
  const rowOf = numbered(rows);
  const columnOf = numbered(columns);
  return (random) => {
    const rowTimes = timesDrawn(rowOf.size, random);
    const columnTimes = timesDrawn(columnOf.size, random);
    const drawn: number[] = [];
    for (let at = 0; at < rows.length; at++) {
      const times = rowTimes[rowOf.numbers[at]!]! * columnTimes[columnOf.numbers[at]!]!;
      for (let time = 0; time < times; time++) drawn.push(at);
    }
    return Uint32Array.from(drawn);
  };
}

function timesDrawn(size: number, random: Random): Uint32Array {
  const times = new Uint32Array(size);
  for (let i = 0; i < size; i++) times[randomInteger(random, size)]!++;
  return times;
}

function numbered(names: ArrayLike<PropertyKey>): { readonly numbers: Uint32Array; readonly size: number } {
  const known = new Map<PropertyKey, number>();
  const numbers = new Uint32Array(names.length);
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const number = known.get(name) ?? known.size;
    known.set(name, number);
    numbers[at] = number;
  }
  return { numbers, size: known.size };
}

/** From here on, Wilson and Hilferty's cube root of a chi-square is close enough to normal for intervals. */
const MANY_DEGREES = 12;

/** A standard normal random number, by Box and Muller's transform. */
export function normalDraw(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Two independent normal numbers, since the transform yields pairs. */
export function normalPair(random: Random): readonly [number, number] {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const angle = 2 * Math.PI * random();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** A chi-square random number divided by its degrees of freedom. */
export function meanSquareDraw(degrees: number, random: Random): number {
  if (degrees > MANY_DEGREES) {
    const step = 2 / (9 * degrees);
    return (1 - step + Math.sqrt(step) * normalDraw(random)) ** 3;
  }
  let squares = 0;
  for (let degree = 0; degree < degrees; degree++) squares += normalDraw(random) ** 2;
  return squares / degrees;
}

/** A position in the sorted sample: after how many entries, and how far into the gap behind them. */
export interface Spot {
  readonly after: number;
  /**
   * 0–1 between its two neighbours; null below the least and above the greatest entry, where the distance is unknown.
   */
  readonly within: number | null;
}

/**
 * The distribution a sample was drawn from, with the uncertainty of a small sample: n entries divide it into n + 1
 * parts whose shares are uniform on the simplex (Rubin's Bayesian bootstrap of 1981, on the gaps instead of the
 * entries). A value above every entry is then not above the whole distribution, as it would be with the plain
 * bootstrap.
 */
export class UncertainDistribution {
  readonly #sorted: Float64Array;
  /** Share below the start of each gap, for the current draw; one more entry holds 1. */
  readonly #below: Float64Array;

  constructor(sample: ArrayLike<number>) {
    this.#sorted = Float64Array.from(sample).sort();
    this.#below = new Float64Array(this.#sorted.length + 2);
  }

  spotOf(value: number): Spot {
    const sorted = this.#sorted;
    const after = countLeading(sorted, (known) => known <= value);
    if (after === 0 || after === sorted.length) return { after, within: null };
    const [before, next] = [sorted[after - 1]!, sorted[after]!];
    return { after, within: (value - before) / (next - before) };
  }

  /** Draws the shares of all gaps, which `shareAt` uses until the next draw. */
  draw(random: Random): void {
    const below = this.#below;
    let total = 0;
    for (let gap = 0; gap < below.length - 1; gap++) {
      below[gap] = total;
      total -= Math.log(1 - random());
    }
    below[below.length - 1] = total;
    for (let gap = 0; gap < below.length; gap++) below[gap]! /= total;
  }

  /** The share of the distribution at or below a spot in the current draw. */
  shareAt({ after, within }: Spot, random: Random): number {
    const start = this.#below[after]!;
    return start + (within ?? random()) * (this.#below[after + 1]! - start);
  }
}
