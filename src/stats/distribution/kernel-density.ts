import { standardDeviation } from "./variance.ts";

/**
 * A smooth curve of where the values of a sample lie, for plots. A Gaussian kernel density estimate with Scott's
 * bandwidth (n^(−1/5) standard deviations), as `scipy.stats.gaussian_kde`. A constant sample has no bandwidth of its
 * own: give one, or get `null`.
 *
 * @example
 * ```ts
 * const density = kernelDensity([4, 5, 5, 7]);
 * density?.(5); // about 0.281: the height of the curve at 5
 * kernelDensity([5, 5, 5]); // null
 * ```
 */
export function kernelDensity(
  sample: ArrayLike<number>,
  options: { readonly bandwidth?: number } = {},
): ((value: number) => number) | null {
  const bandwidth = options.bandwidth ?? scottBandwidth(sample);
  if (!(bandwidth > 0)) return null;
  const scale = 1 / (sample.length * bandwidth * Math.sqrt(2 * Math.PI));
  return (value) => {
    let total = 0;
    for (let i = 0; i < sample.length; i++) total += Math.exp(-0.5 * ((value - sample[i]!) / bandwidth) ** 2);
    return total * scale;
  };
}

function scottBandwidth(sample: ArrayLike<number>): number {
  return sample.length < 2 ? 0 : standardDeviation(sample) * sample.length ** -0.2;
}
