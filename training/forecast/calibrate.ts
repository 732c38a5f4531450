import { type Calibration, INTERVAL_LEVEL, subsetKey } from "../../src/forecast/calibration.ts";
import { FIELDS, type Field } from "../../src/forecast/forecast-input.ts";
import type { OutOfFold } from "./cross-validation.ts";
import type { Target } from "./learn.ts";

export function everySubset(): Field[][] {
  const subsets = Array.from({ length: 2 ** FIELDS.length - 1 }, (_, mask) => mask + 1);
  return subsets.map((mask) => FIELDS.filter((_, position) => mask & (1 << position)));
}

/** Calibrations by subset of known fields, one per output. */
export function calibrateAll(unseen: OutOfFold, targets: readonly Target[]): Record<string, Calibration[]> {
  return Object.fromEntries(
    everySubset().map((fields) => [
      subsetKey(fields),
      targets.map(({ values }, output) => calibrate(sums(unseen, fields, output), values)),
    ]),
  );
}

/** The uncalibrated forecast of each book from these fields, less the baseline, which is the same for all. */
export function sums(unseen: OutOfFold, fields: readonly Field[], output: number): Float64Array {
  const { outputs, effects, baselines } = unseen;
  return Float64Array.from({ length: baselines.length / outputs }, (_, book) => {
    const place = book * outputs + output;
    return fields.reduce((sum, field) => sum + effects[FIELDS.indexOf(field)]![place]!, 0);
  });
}

/** Least squares of what is true on what was said, then the conformal quantile of what is left (Lei et al., 2018). */
export function calibrate(said: Float64Array, truth: Float64Array): Calibration {
  const known = [...truth.keys()].filter((book) => !Number.isNaN(truth[book]!));
  const mean = (values: Float64Array) => known.reduce((sum, book) => sum + values[book]!, 0) / known.length;
  const saidMean = mean(said);
  const truthMean = mean(truth);
  let shared = 0;
  let spread = 0;
  for (const book of known) {
    shared += (said[book]! - saidMean) * (truth[book]! - truthMean);
    spread += (said[book]! - saidMean) ** 2;
  }
  const slope = spread > 0 ? Math.min(Math.max(shared / spread, 0), 2) : 0;
  const shift = truthMean - slope * saidMean;
  const misses = known.map((book) => Math.abs(truth[book]! - shift - slope * said[book]!)).sort((a, b) => a - b);
  const rank = Math.min(Math.ceil((known.length + 1) * INTERVAL_LEVEL), known.length);
  return { shift, slope, halfWidth: Math.max(misses[rank - 1]!, 1e-6) };
}
