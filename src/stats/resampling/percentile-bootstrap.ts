import { type Random, randomInteger } from "../../core/random.ts";
import { quantiles } from "../distribution/quantile.ts";
import type { Statistic } from "../statistic.ts";

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
