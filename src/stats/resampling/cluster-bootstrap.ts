import { type Random, randomInteger } from "../../core/random.ts";
import { quantiles } from "../distribution/quantile.ts";
import { standardDeviation } from "../distribution/variance.ts";
import { studentInterval } from "../special/student-interval.ts";
import { studentTwoSided } from "../special/student-t.ts";

/**
 * Resamples of clusters: how often each cluster is drawn, resample by resample. Questions about one book rise and fall
 * together, so whole books are drawn; the same draws serve every column, which pairs the comparisons of columns.
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

/** A column of values as its sum and its number of values in each cluster; missing values (NaN) are in neither. */
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

/** The mean over all values of each resample; NaN where no drawn cluster has a value. */
export function resampledMeans({ sums, sizes }: ClusterTotals, draws: ClusterDraws): Float64Array {
  const { clusters, resamples, counts } = draws;
  const means = new Float64Array(resamples);
  for (let row = 0; row < resamples; row++) {
    let total = 0;
    let size = 0;
    const start = row * clusters;
    for (let cluster = 0; cluster < clusters; cluster++) {
      const times = counts[start + cluster]!;
      total += times * sums[cluster]!;
      size += times * sizes[cluster]!;
    }
    means[row] = total / size;
  }
  return means;
}

const TAIL = 0.025;

/** The middle 95 % of the replicates; null when most of them are undefined. */
export function middleOf(replicates: Float64Array): readonly [number, number] | null {
  const present = replicates.filter((value) => !Number.isNaN(value));
  if (present.length * 2 <= replicates.length) return null;
  const [lower, upper] = quantiles(present, [TAIL, 1 - TAIL]);
  return [lower!, upper!];
}

/**
 * Two-sided test of a difference against zero: Student's t with the bootstrap's standard error and a degree of freedom less
 * than there are clusters. Counting replicates beyond zero could not go below the number of resamples, and after a correction
 * for many pairs every clear difference would look alike.
 */
export function bootstrapP(difference: number, replicates: Float64Array, clusters: number): number {
  if (clusters < 2) return 1;
  const error = errorOf(replicates);
  // The same difference in every cluster: signs alone could not go below this, and no error of zero may either.
  if (!(error > 0)) return difference === 0 ? 1 : 2 ** (1 - clusters);
  return studentTwoSided(difference / error, clusters - 1);
}

/**
 * The 95 % interval that goes with `bootstrapP`: it leaves out zero exactly where p is below 0.05, which the middle of the
 * replicates does not. Null where every cluster has the same difference: that says nothing about its own spread.
 */
export function differenceInterval(
  difference: number,
  replicates: Float64Array,
  clusters: number,
): readonly [number, number] | null {
  const error = errorOf(replicates);
  if (error > 0) return studentInterval(difference, error, clusters - 1);
  return difference === 0 ? [0, 0] : null;
}

function errorOf(replicates: Float64Array): number {
  return standardDeviation(replicates.filter((value) => !Number.isNaN(value)));
}
