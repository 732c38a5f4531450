import { join } from "node:path";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { readChecked, writeChecked } from "../../core/checked-file.ts";
import { FabulaError } from "../../core/errors.ts";
import { calibrationSchema } from "./calibration.ts";
import { fieldEncoderSchema } from "./field-encoder.ts";
import type { LinearModel } from "./linear-model.ts";

const numbers = z.array(z.number());

/** The weights file, as it is on disk. */
const forecastModelSchema = z.object({
  format: z.literal(1),
  /** `rating` first, then the aspects. */
  outputs: z.array(z.string()).min(1),
  baselines: numbers,
  fields: z.array(z.object({ encoder: fieldEncoderSchema, weights: numbers, means: numbers })),
  /** By the fields that are known (`title+genres`), one calibration per output. */
  calibration: z.record(z.string(), z.array(calibrationSchema)),
  /** Per output, the 0th, 1st … 100th percentile over the training books. */
  percentiles: z.array(numbers.length(101)),
  training: z.object({
    books: z.number().int().positive(),
    reviews: z.number().int().nonnegative(),
    dataHash: z.string(),
    components: z.record(z.string(), z.number()),
  }),
});

export type ForecastModelFile = z.infer<typeof forecastModelSchema>;
export type ForecastModel = LinearModel & {
  readonly names: readonly string[];
  readonly calibration: ForecastModelFile["calibration"];
  readonly percentiles: ForecastModelFile["percentiles"];
  readonly training: ForecastModelFile["training"];
};

const FILE = "weights.json";
const REMEDY = "Reinstall fabula, or train the forecast again with `fabula train forecast`.";

export function shippedForecastFolder(): string {
  return assetPath("models", "forecast");
}

export async function writeForecastModel(folder: string, model: ForecastModelFile): Promise<string> {
  return writeChecked(join(folder, FILE), `${JSON.stringify(model)}\n`);
}

export async function readForecastModel(folder: string): Promise<ForecastModel> {
  const path = join(folder, FILE);
  const { bytes } = await readChecked(path, REMEDY);
  const result = forecastModelSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  if (!result.success || !fits(result.data)) {
    throw new FabulaError("E_WEIGHTS_DAMAGED", `"${path}" does not hold a forecast of this version. ${REMEDY}`);
  }
  const { outputs, baselines, fields, calibration, percentiles, training } = result.data;
  return {
    outputs: outputs.length,
    names: outputs,
    baselines: Float64Array.from(baselines),
    fields: fields.map(({ encoder, weights, means }) => ({
      encoder,
      weights: Float64Array.from(weights),
      means: Float64Array.from(means),
    })),
    calibration,
    percentiles,
    training,
  };
}

function fits({ outputs, baselines, fields, percentiles, calibration }: ForecastModelFile): boolean {
  return (
    baselines.length === outputs.length &&
    percentiles.length === outputs.length &&
    Object.values(calibration).every(({ length }) => length === outputs.length) &&
    fields.every(({ weights, means }) => weights.length === means.length * outputs.length)
  );
}
