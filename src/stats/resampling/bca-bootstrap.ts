import { mean } from "../distribution/mean.ts";
import { quantiles } from "../distribution/quantile.ts";
import { sum } from "../distribution/sum.ts";
import { normalCumulative, normalQuantile } from "../special/normal.ts";
import {
  type BootstrapInterval,
  type BootstrapOptions,
  bootstrapReplicates,
  DEFAULT_LEVEL,
  noInterval,
} from "./percentile-bootstrap.ts";

export interface BcaOptions<Sample> extends BootstrapOptions<Sample> {
  /** The sample as it was observed. */
  readonly observed: Sample;
  /** The observed sample with one unit left out, for every unit. */
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

/** Which shares of the replicates bound the interval; null when every replicate lies beyond the observed value. */
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
