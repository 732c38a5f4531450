import { normalQuantile } from "../special/normal.ts";

/**
 * Wilson's score interval (1927) for a share: honest for small counts and near 0 and 1. `level` is 0.95 for a 95 %
 * interval.
 *
 * @example
 * ```ts
 * wilsonInterval(8, 10, 0.95); // about [0.49, 0.943]
 * ```
 */
export function wilsonInterval(successes: number, trials: number, level: number): [number, number] {
  if (!(trials > 0)) throw new RangeError("a share needs at least one trial");
  const z = normalQuantile(0.5 + level / 2);
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
