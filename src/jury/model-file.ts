import { join } from "node:path";
import { assetPath } from "../core/assets.ts";
import { encodeWeights, readWeights } from "../core/weights-file.ts";
import { type GraderModel, modelHeadSchema } from "./model.ts";

const MODEL = "grader";
const VERSION = 2;
export const WEIGHTS_FILE = "weights.bin";

export function encodeModel({ head, ...arrays }: GraderModel): Uint8Array {
  return encodeWeights({ model: MODEL, version: VERSION, settings: head, arrays: { ...arrays } });
}

let shipped: ReturnType<typeof readModel> | undefined;

/** The grader's weights that ship with the package, read once: the grader and every juror's count of style need them. */
export function shippedGraderModel(): ReturnType<typeof readModel> {
  shipped ??= readModel(assetPath("models", "grader"));
  return shipped;
}

/** Reads weights and holds them against their checksum: a truncated or altered file is an error, never a number. */
export function readModel(folder: string): { model: GraderModel; digest: string } {
  const weights = readWeights(join(folder, WEIGHTS_FILE), {
    model: MODEL,
    version: VERSION,
    settings: modelHeadSchema,
  });
  return {
    digest: weights.digest,
    model: {
      head: weights.settings,
      rarityHashes: weights.uint32("rarityHashes"),
      rarityBands: weights.uint8("rarityBands"),
      styleScales: weights.float32("styleScales"),
      styleWeights: weights.float32("styleWeights"),
      ngramHashes: weights.uint32("ngramHashes"),
      inverseFrequency: weights.float32("inverseFrequency"),
      ngramWeights: weights.int8("ngramWeights"),
      ngramScales: weights.float32("ngramScales"),
    },
  };
}
