import type { SparseEntry } from "../stats/index.ts";
import { type FieldEncoder, fieldReader } from "./field-encoder.ts";
import type { KnownBook } from "./forecast-input.ts";

export interface LearntField {
  readonly encoder: FieldEncoder;
  /** `weights[term * outputs + output]`. */
  readonly weights: Float64Array;
  /** The mean of each term over the training books that have the field. */
  readonly means: Float64Array;
}

/**
 * A sum, field by field: a field adds Σ weight · (value − mean) over its terms, and nothing when it is missing, as if it were
 * the average book's. So what moved a forecast is known exactly.
 */
export interface LinearModel {
  readonly outputs: number;
  readonly baselines: Float64Array;
  readonly fields: readonly LearntField[];
}

export interface FieldReading {
  /** What the field adds to each output; null when it is missing or says nothing that was learnt from. */
  readonly effects: Float64Array | null;
  readonly entries: readonly SparseEntry[];
  readonly unrecognised: boolean;
}

/** Reads books against a model; what all books share is prepared once. */
export function modelReader({ fields, outputs }: LinearModel): (book: KnownBook) => FieldReading[] {
  const prepared = fields.map((field) => ({
    field,
    read: fieldReader(field.encoder),
    offsets: offsetsOf(field, outputs),
  }));
  return (book) =>
    prepared.map(({ field, read, offsets }) => {
      const { entries, unrecognised } = read(book);
      if (entries === null) return { effects: null, entries: [], unrecognised };
      const effects = offsets.map((offset) => -offset);
      for (const { index, value } of entries) {
        for (let output = 0; output < outputs; output++) {
          effects[output] = effects[output]! + value * field.weights[index * outputs + output]!;
        }
      }
      return { effects, entries, unrecognised };
    });
}

function offsetsOf({ weights, means }: LearntField, outputs: number): Float64Array {
  const offsets = new Float64Array(outputs);
  means.forEach((mean, term) => {
    for (let output = 0; output < outputs; output++) {
      offsets[output] = offsets[output]! + mean * weights[term * outputs + output]!;
    }
  });
  return offsets;
}
