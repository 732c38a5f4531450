import { z } from "zod";

const identifier = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

/** How a piece of about this many words missed the grader's score in cross-validation. */
const calibrationSchema = z.object({
  words: z.number().positive(),
  /** Half-width of the 90% interval, one per output. */
  halfWidths: z.array(z.number().positive()),
});

/** Everything about the judge that is not a long array: the readable head of its weights file. */
export const modelHeadSchema = z.object({
  /** `overall` first, then the criteria in the rubric's order. */
  outputs: z.array(identifier).min(1),
  intercepts: z.array(z.number()),
  /** Weights of the length column, one per output. */
  lengthWeights: z.array(z.number()),
  /** Words in a window. */
  window: z.number().positive(),
  /** The last so many n-grams of the vocabulary are runs of characters; without it, all are words and pairs. */
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

/** What the arithmetic of a judge needs, whoever the judge is. */
export interface LinearModel {
  readonly head: Pick<ModelHead, "outputs" | "intercepts" | "lengthWeights" | "window" | "characterRuns">;
  /** Words and their bands of rarity; a word that is not here is of the rarest. */
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
