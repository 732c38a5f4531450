import { encoderWidth, type FieldEncoder, fieldReader, fitEncoder } from "../../src/forecast/field-encoder.ts";
import { designComponents, type ForecastDesign, fieldDesign } from "../../src/forecast/forecast-design.ts";
import { FIELDS, type Field, type KnownBook } from "../../src/forecast/forecast-input.ts";
import type { LinearModel } from "../../src/forecast/linear-model.ts";
import { dualWeights, type SparseEntry, type SquareMatrix, type VarianceComponents } from "../../src/stats/index.ts";

/** What to learn: a value per training book (NaN where there is none), and the variance it has as a measurement. */
export interface Target {
  readonly values: Float64Array;
  readonly variance: Float64Array;
}

/** One block per field; kept blocks serve the next design that wants the same. */
export type BlockReader = (design: ForecastDesign, field: Field) => FieldBlock;

export function blockReader(books: readonly KnownBook[]): BlockReader {
  const kept = new Map<string, FieldBlock>();
  return (design, field) => {
    const wanted = fieldDesign(design, field);
    const key = field === "words" ? field : JSON.stringify([field, wanted]);
    const block = kept.get(key) ?? fieldBlock(fitEncoder(field, books, wanted), books);
    kept.set(key, block);
    return block;
  };
}

/** Learns a linear model from blocks of books, one output per target. */
export function learn(blockOf: BlockReader, design: ForecastDesign, targets: readonly Target[]): LinearModel {
  const blocks = FIELDS.map((field) => blockOf(design, field));
  const kernels = blocks.map(({ kernel }) => kernel);
  // Targets share the fields' weights against each other; how widely they vary is their own.
  const solutions = targets.map((target) => solve(kernels, target, designComponents(design, spread(target))));
  return {
    outputs: targets.length,
    baselines: Float64Array.from(solutions, ({ mean }) => mean),
    fields: blocks.map((block, position) => learntField(block, position, solutions)),
  };
}

interface Solution extends VarianceComponents {
  /** One per training book; zero where the target has no value. */
  readonly dual: Float64Array;
  readonly mean: number;
}

function solve(kernels: readonly SquareMatrix[], target: Target, estimate: VarianceComponents): Solution {
  const size = target.values.length;
  const known = knownRows(target);
  const { dual, mean } = dualWeights(
    kernels.map((kernel) => selectSquare(kernel, size, known)),
    Float64Array.from(known, (row) => target.values[row]!),
    estimate,
    Float64Array.from(known, (row) => target.variance[row]!),
  );
  const whole = new Float64Array(size);
  known.forEach((row, position) => {
    whole[row] = dual[position]!;
  });
  return { ...estimate, dual: whole, mean };
}

/** From weights on books to weights on terms: w = v Σ αᵢ (xᵢ − μ) over the books that have the field. */
function learntField(block: FieldBlock, position: number, solutions: readonly Solution[]) {
  const { encoder, rows, means, kernelScale } = block;
  const outputs = solutions.length;
  const weights = new Float64Array(means.length * outputs);
  solutions.forEach(({ dual, components }, output) => {
    const scale = components[position]! * kernelScale;
    let total = 0;
    rows.forEach((entries, row) => {
      if (entries === null) return;
      total += dual[row]!;
      for (const { index, value } of entries) {
        weights[index * outputs + output] = weights[index * outputs + output]! + scale * dual[row]! * value;
      }
    });
    means.forEach((mean, term) => {
      weights[term * outputs + output] = weights[term * outputs + output]! - scale * total * mean;
    });
  });
  return { encoder, weights, means };
}

/** How widely the true values vary: the variance of what was measured, less that of the measuring. */
export function spread(target: Target): number {
  const known = knownRows(target);
  const mean = known.reduce((sum, row) => sum + target.values[row]!, 0) / known.length;
  const sum = known.reduce((total, row) => total + (target.values[row]! - mean) ** 2 - target.variance[row]!, 0);
  return Math.max(sum / known.length, 1e-4);
}

function knownRows({ values }: Target): number[] {
  return [...values.keys()].filter((row) => !Number.isNaN(values[row]!));
}

function selectSquare(matrix: SquareMatrix, size: number, kept: readonly number[]): SquareMatrix {
  if (kept.length === size) return matrix;
  const selected = new Float64Array(kept.length * kept.length);
  kept.forEach((row, i) => {
    kept.forEach((column, j) => {
      selected[i * kept.length + j] = matrix[row * size + column]!;
    });
  });
  return selected;
}

/** One field of all training books, and how alike every two books are in it. */
interface FieldBlock {
  readonly encoder: FieldEncoder;
  /** Entries per book; null where the field is missing. */
  readonly rows: readonly (readonly SparseEntry[] | null)[];
  /** The mean of each term over the books that have the field. */
  readonly means: Float64Array;
  /** Centred and scaled to a mean square of one, so that the weights of different fields can be compared. */
  readonly kernel: SquareMatrix;
  readonly kernelScale: number;
}

const SAME_FOR_ALL = 1e-9;

function fieldBlock(encoder: FieldEncoder, books: readonly KnownBook[]): FieldBlock {
  const read = fieldReader(encoder);
  const rows = books.map((book) => read(book).entries);
  const given = rows.filter((row) => row !== null);
  const means = new Float64Array(encoderWidth(encoder));
  for (const row of given) for (const { index, value } of row) means[index] = means[index]! + value / given.length;
  const kernel = centredKernel(rows, means);
  let trace = 0;
  for (let row = 0; row < rows.length; row++) trace += kernel[row * rows.length + row]!;
  // A field that says the same of every book is left with what rounding makes of zero: scaled up, its weights would drown all others.
  const kernelScale = trace > SAME_FOR_ALL ? given.length / trace : 1;
  return { encoder, rows, means, kernel: kernel.map((value) => value * kernelScale), kernelScale };
}

/** (x − μ)·(z − μ) for every two books; a book without the field stands where the average book stands: zeros. */
function centredKernel(rows: FieldBlock["rows"], means: Float64Array): SquareMatrix {
  const size = rows.length;
  const kernel = new Float64Array(size * size);
  rows.forEach((entries, row) => {
    if (entries === null) return;
    const centred = means.map((mean) => -mean);
    for (const { index, value } of entries) centred[index] = centred[index]! + value;
    const atMean = centred.reduce((sum, value, term) => sum + value * means[term]!, 0);
    rows.forEach((others, column) => {
      if (others === null) return;
      let similarity = -atMean;
      for (const { index, value } of others) similarity += value * centred[index]!;
      kernel[row * size + column] = similarity;
    });
  });
  return kernel;
}
