import { notDefined, type Statistic } from "../statistic.ts";

/**
 * Split conformal prediction (Papadopoulos and others, 2002): half the width of an interval that covers a new case with
 * at least the given chance, whatever the distribution, as long as it resembles the held-out cases. Takes the residuals
 * of cases the model was not fitted on; undefined when there are too few to promise that level.
 *
 * @example
 * ```ts
 * const residuals = [0.1, -0.4, 0.3, -0.2, 0.9, 0.5, -0.6, 0.8, 0.7]; // people's rating less the prediction
 * conformalHalfWidth(residuals, 0.8); // { value: 0.8 }: a new case is within ± 0.8 with a chance of at least 80 %
 * ```
 */
export function conformalHalfWidth(residuals: ArrayLike<number>, level: number): Statistic {
  if (!(level > 0 && level < 1)) throw new RangeError(`a level lies between 0 and 1, not at ${level}`);
  const sizes = Float64Array.from(residuals, Math.abs).sort();
  if (sizes.length > 0 && !Number.isFinite(sizes[sizes.length - 1])) {
    throw new RangeError("residuals must be finite numbers");
  }
  // Rounding must not push an exact product, such as 20 × 0.95, over the next whole number.
  const needed = Math.ceil((sizes.length + 1) * level - 1e-9);
  if (needed > sizes.length) {
    const least = Math.ceil(1 / (1 - level) - 1e-9) - 1;
    return notDefined(`a ${level * 100}% interval needs at least ${least} held-out cases; there are ${sizes.length}`);
  }
  return { value: sizes[needed - 1]! };
}
