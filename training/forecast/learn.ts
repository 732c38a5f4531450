import { fitEncoder } from "../../src/forecast/field-encoder.ts";
import { designComponents, type ForecastDesign, fieldDesign } from "../../src/forecast/forecast-design.ts";
import { FIELDS, type Field, type KnownBook } from "../../src/forecast/forecast-input.ts";
import type { LinearModel } from "../../src/forecast/linear-model.ts";
import { dualWeights, type SquareMatrix, type VarianceComponents } from "../../src/stats/index.ts";
import { type FieldBlock, fieldBlock } from "./field-block.ts";

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
