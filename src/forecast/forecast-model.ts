import { join } from "node:path";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { encodeWeights, readWeights } from "../core/weights-file.ts";
import { calibrationSchema } from "./calibration.ts";
import { fieldEncoderSchema } from "./field-encoder.ts";
import { designSchema } from "./forecast-design.ts";
import type { LinearModel } from "./linear-model.ts";

/** Everything about the forecast that is not a long array. */
const settingsSchema = z.object({
  /** `rating` first, then the aspects. */
  names: z.array(z.string()).min(1),
  baselines: z.array(z.number()),
  encoders: z.array(fieldEncoderSchema),
  /** By the fields that are known (`title+genres`), one calibration per output. */
  calibration: z.record(z.string(), z.array(calibrationSchema)),
  /** Per output, the 0th, 1st … 100th percentile over the training books. */
  percentiles: z.array(z.array(z.number()).length(101)),
  /** How far two books of one author are off in the same direction: the correlation of what the forecast misses. */
  authorShare: z.number().min(0).max(1),
  training: z.object({
    books: z.number().int().positive(),
    reviews: z.number().int().nonnegative(),
    dataHash: z.string(),
    design: designSchema,
  }),
});

type Settings = z.infer<typeof settingsSchema>;
export type ForecastModel = LinearModel & Omit<Settings, "baselines" | "encoders">;

const KIND = { model: "forecast", version: 3 } as const;
export const WEIGHTS_FILE = "weights.bin";

export function shippedForecastFolder(): string {
  return assetPath("models", "forecast");
}

/** The file that `readForecastModel` reads. */
export function encodeForecast(model: ForecastModel): Uint8Array {
  const { fields, baselines, outputs: _, ...facts } = model;
  const settings: Settings = { ...facts, baselines: [...baselines], encoders: fields.map(({ encoder }) => encoder) };
  const arrays = fields.flatMap(({ encoder, weights, means }) => [
    [`${encoder.field}-weights`, Float32Array.from(weights)] as const,
    [`${encoder.field}-means`, Float32Array.from(means)] as const,
  ]);
  return encodeWeights({ ...KIND, settings, arrays: Object.fromEntries(arrays) });
}

export function readForecastModel(folder: string): ForecastModel {
  const { settings, float32 } = readWeights(join(folder, WEIGHTS_FILE), { ...KIND, settings: settingsSchema });
  const { encoders, baselines, ...facts } = settings;
  return {
    ...facts,
    outputs: facts.names.length,
    baselines: Float64Array.from(baselines),
    fields: encoders.map((encoder) => ({
      encoder,
      weights: Float64Array.from(float32(`${encoder.field}-weights`)),
      means: Float64Array.from(float32(`${encoder.field}-means`)),
    })),
  };
}
