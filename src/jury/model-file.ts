import { join } from "node:path";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { encodeWeights, readWeights } from "../core/weights-file.ts";

const identifier = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

/** The errors, in cross-validation, of pieces of about this many words. */
const calibrationSchema = z.object({
  words: z.number().positive(),
  /** Half-width of the 90% interval, one per output. */
  halfWidths: z.array(z.number().positive()),
});

/** Everything about the judge that is not a long array: the readable head of its weights file. */
const modelHeadSchema = z.object({
  /** `overall` first, then the criteria in the rubric's order. */
  outputs: z.array(identifier).min(1),
  intercepts: z.array(z.number()),
  /** Weights of the length column, one per output. */
  lengthWeights: z.array(z.number()),
  /** Words in a window. */
  window: z.number().positive(),
  /** The last n-grams of the vocabulary, of this number, are runs of characters; if absent, all are words and pairs. */
  characterRuns: z.number().int().nonnegative().optional(),
  coverage: z.number().gt(0).lt(1),
  calibration: z.array(calibrationSchema).min(1),
  training: z.object({
    chapters: z.number().int(),
    writers: z.number().int(),
    stories: z.number().int(),
    penalty: z.number(),
    dataHash: z.string(),
  }),
});

export type ModelHead = z.infer<typeof modelHeadSchema>;

/** The arrays that any linear judge is computed from. */
export interface LinearModel {
  readonly head: Pick<ModelHead, "outputs" | "intercepts" | "lengthWeights" | "window" | "characterRuns">;
  /** Words and their bands of rarity; a word that is not listed belongs to the rarest band. */
  readonly rarityHashes: Uint32Array;
  readonly rarityBands: Uint8Array;
  readonly styleScales: Float32Array;
  /** `styleWeights[feature * outputs + output]`. */
  readonly styleWeights: Float32Array;
  readonly ngramHashes: Uint32Array;
  readonly inverseFrequency: Float32Array;
  /** An n-gram's weight for an output is `ngramWeights[ngram * outputs + output] * ngramScales[ngram]`. */
  readonly ngramWeights: Int8Array | Float32Array;
  readonly ngramScales: Float32Array;
}

export interface GraderModel extends LinearModel {
  readonly head: ModelHead;
}

const MODEL = "grader";
const MODEL_VERSION = 2;
export const WEIGHTS_FILE = "weights.bin";

export function encodeModel({ head, ...arrays }: GraderModel): Uint8Array {
  return encodeWeights({ model: MODEL, version: MODEL_VERSION, settings: head, arrays: { ...arrays } });
}

let shipped: ReturnType<typeof readModel> | undefined;

/** The grader's weights that ship with the package, read once; the grader and every juror's count of style use them. */
export function shippedGraderModel(): ReturnType<typeof readModel> {
  shipped ??= readModel(assetPath("models", "grader"));
  return shipped;
}

/** Reads weights and checks them against their checksum: a truncated or altered file is an error, never a number. */
export function readModel(folder: string): { model: GraderModel; digest: string } {
  const weights = readWeights(join(folder, WEIGHTS_FILE), {
    model: MODEL,
    version: MODEL_VERSION,
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
