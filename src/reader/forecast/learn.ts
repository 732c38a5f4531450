import { dualWeights, type SquareMatrix, type VarianceComponents, varianceComponents } from "../../stats/index.ts";
import { type FieldBlock, fieldBlock } from "./field-block.ts";
import { fitEncoder } from "./field-encoder.ts";
import { FIELDS, type KnownBook } from "./forecast-input.ts";
import type { LinearModel } from "./linear-model.ts";

/** What to learn: a value per training book (NaN where there is none), and the variance it has as a measurement. */
export interface Target {
  readonly values: Float64Array;
  readonly variance: Float64Array;
}

export interface LearnOptions {
  readonly iterations?: number;
  readonly onIteration?: (iteration: number) => void;
}

/**
 * Learns a linear model from books. How much each field counts against the others is estimated from the first target, by
 * restricted maximum likelihood on these books alone: a model learnt inside a fold has seen nothing of what it is tested on.
 */
export function learn(
  books: readonly KnownBook[],
  targets: readonly [Target, ...Target[]],
  options: LearnOptions = {},
): LinearModel & { readonly estimate: VarianceComponents } {
  const blocks = FIELDS.map((field) => fieldBlock(fitEncoder(field, books), books));
  const kernels = blocks.map(({ kernel }) => kernel);
  const [main] = targets;
  const estimate = varianceComponents(kernels, main.values, { knownVariance: main.variance, ...options });
  const solutions = targets.map((target) => solve(kernels, target, rescaled(estimate, spread(target) / spread(main))));
  return {
    outputs: targets.length,
    baselines: Float64Array.from(solutions, ({ mean }) => mean),
    fields: blocks.map((block, position) => learntField(block, position, solutions)),
    estimate,
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

/** Other targets share the fields' weights against each other; how widely they vary is their own. */
function rescaled(estimate: VarianceComponents, ratio: number): VarianceComponents {
  return { components: estimate.components.map((component) => component * ratio), noise: estimate.noise * ratio };
}

/** How widely the true values vary: the variance of what was measured, less that of the measuring. */
function spread(target: Target): number {
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
