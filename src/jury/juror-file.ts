import { join } from "node:path";
import { z } from "zod";
import { encodeWeights, readWeights } from "../core/weights-file.ts";
import { JUROR_IDS } from "./juror.ts";
import type { LinearModel } from "./model-file.ts";

const VERSION = 1;

/** The error on held-out texts of about this many words: half-widths of the range. */
const missSchema = z.object({
  words: z.number().positive(),
  /** …if other texts of its source were in the training data. */
  inside: z.number().positive(),
  /** The same with its whole source held out, which is the error to expect on texts from other sources. */
  outside: z.number().positive(),
});

/** The distances from which a text is outside, and far outside. */
const borderSchema = z.object({ outside: z.number(), farOutside: z.number() });

/** Everything about a juror that is not a long array. */
export const jurorHeadSchema = z.object({
  outputs: z.array(z.string().min(1)).min(1),
  intercepts: z.array(z.number()),
  /** Weights of the logarithm of the length. */
  lengthWeights: z.array(z.number()),
  /** Points for {@link storyLength} of the whole text. */
  storyLengthWeight: z.number().optional(),
  /** Words in a window. */
  window: z.number().positive(),
  /** The last n-grams, of this number, are runs of characters; those before are words and pairs. */
  characterRuns: z.number().int().nonnegative(),
  coverage: z.number().gt(0).lt(1),
  misses: z.array(missSchema),
  /** For the model of the jurors' domain: each juror's limits in time and in kind of text. */
  limits: z.record(z.enum(JUROR_IDS), z.object({ era: borderSchema, kind: borderSchema })).optional(),
  /**
   * For line notes: converts a sentence's sum to the probability of a change, and says from which sum each reason is
   * given.
   */
  notes: z.object({ intercept: z.number(), slope: z.number(), reasonLimits: z.array(z.number()) }).optional(),
  training: z.object({
    /** How many texts it was trained on, by source. */
    texts: z.record(z.string(), z.number().int()),
    penalty: z.number(),
    dataHash: z.string(),
  }),
});

export type JurorHead = z.infer<typeof jurorHeadSchema>;

/** A juror as it is trained: weights in full, `weights[ngram * outputs + output]`. */
export interface TrainedJuror {
  readonly head: JurorHead;
  readonly hashes: Uint32Array;
  readonly inverseFrequency: Float64Array;
  readonly weights: Float64Array;
  readonly styleScales: Float32Array;
  /** `styleWeights[feature * outputs + output]`. */
  readonly styleWeights: Float32Array;
}

/** Inverse frequencies lie between 1 and 10; they are not known more precisely than in steps of this size. */
const FREQUENCY_STEP = 0.04;

/** The nearest inverse frequency that the file can store. Training uses these, so that saving changes nothing. */
export function storedFrequency(value: number): number {
  return Math.min(255, Math.round(value / FREQUENCY_STEP)) * FREQUENCY_STEP;
}

/**
 * Six bytes for an n-gram of a juror with one output: its hash, its inverse frequency and its weight. A weight is kept
 * as the root of its size in eight bits, which is finer for the many small ones.
 */
export function encodeJuror(model: string, juror: TrainedJuror): Uint8Array {
  const { head, hashes, inverseFrequency, weights, styleScales, styleWeights } = juror;
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const root = (weight: number) => Math.sign(weight) * Math.round(127 * Math.sqrt(Math.abs(weight) / (largest || 1)));
  return encodeWeights({
    model,
    version: VERSION,
    settings: { ...head, largestWeight: largest },
    arrays: {
      hashes,
      frequencies: Uint8Array.from(inverseFrequency, (value) => Math.round(value / FREQUENCY_STEP)),
      roots: Int8Array.from(weights, root),
      styleScales,
      styleWeights,
    },
  });
}

export function readJuror(
  folder: string,
  file: string,
  model: string,
): { readonly model: LinearModel; readonly head: JurorHead; readonly digest: string } {
  const weights = readWeights(join(folder, file), {
    model,
    version: VERSION,
    settings: jurorHeadSchema.extend({ largestWeight: z.number() }),
  });
  const { largestWeight, ...head } = weights.settings;
  const outputs = head.outputs.length;
  const roots = weights.int8("roots");
  const hashes = weights.uint32("hashes");
  const { ngramWeights, ngramScales } = expanded(roots, outputs, largestWeight);
  return {
    head,
    digest: weights.digest,
    model: {
      head,
      // All jurors share one count of style, with the grader's rarity table.
      rarityHashes: new Uint32Array(0),
      rarityBands: new Uint8Array(0),
      styleScales: weights.float32("styleScales"),
      styleWeights: weights.float32("styleWeights"),
      ngramHashes: hashes,
      inverseFrequency: frequenciesOf(weights.uint8("frequencies")),
      ngramWeights,
      ngramScales,
    },
  };
}

function frequenciesOf(steps: Uint8Array): Float32Array {
  const frequencies = new Float32Array(steps.length);
  for (let at = 0; at < steps.length; at++) frequencies[at] = steps[at]! * FREQUENCY_STEP;
  return frequencies;
}

function expanded(roots: Int8Array, outputs: number, largest: number) {
  const ngramWeights = new Float32Array(roots.length);
  for (let at = 0; at < roots.length; at++) ngramWeights[at] = (roots[at]! * Math.abs(roots[at]!) * largest) / 127 ** 2;
  return { ngramWeights, ngramScales: new Float32Array(roots.length / outputs).fill(1) };
}
