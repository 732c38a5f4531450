import { type SparseRows, scaleColumns } from "./sparse-rows.ts";

export interface RidgeOptions {
  /** The penalty λ on the squared weights; the intercept is not penalised. */
  readonly penalty: number;
  /** A weight per row; all one when absent. */
  readonly rowWeights?: Float64Array;
  /**
   * A scale per column: a column with scale 2 is penalised a quarter as much, one with scale 0 is left out; all one
   * by default.
   */
  readonly columnScales?: Float64Array;
  readonly groups?: RowGroups;
  /** Stop when the residual of the normal equations has shrunk by this factor. */
  readonly tolerance?: number;
  readonly maximumIterations?: number;
  readonly onIteration?: (iteration: number, residual: number) => void;
}

export interface RidgeModel {
  readonly outputs: number;
  /** `weights[column * outputs + output]`. */
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
  readonly iterations: number;
}

/**
 * Ridge regression for several outputs at once over sparse rows.
 *
 * Solves the normal equations of the weighted, column-centred least-squares problem by conjugate gradients (CGLS;
 * Björck, "Numerical Methods for Least Squares Problems", §7.4). Centring is implicit, so the matrix stays sparse and
 * the intercept stays unpenalised. Each output has vectors and step lengths of its own; all take the same number of
 * steps.
 *
 * @example
 * ```ts
 * const rows = sparseRows(1, [[], [{ index: 0, value: 1 }], [{ index: 0, value: 2 }]]);
 * const { weights, intercepts } = fitRidge(rows, Float64Array.of(1, 3, 5), 1, { penalty: 2 });
 * // weights: [1], intercepts: [2]; without a penalty the weight would be 2
 * ```
 */
export function fitRidge(given: SparseRows, targets: Float64Array, outputs: number, options: RidgeOptions): RidgeModel {
  const { rows, columns } = given;
  if (targets.length !== rows * outputs) throw new RangeError("targets must hold rows × outputs values");
  if (!(options.penalty > 0)) throw new RangeError("the penalty must be positive");
  const { columnScales, penalty } = options;
  const matrix = columnScales ? scaleColumns(given, columnScales) : given;
  const roots = squareRoots(options.rowWeights, rows);
  const shared = options.groups ? sharedErrors(options.groups, roots) : null;
  const centred: CentredRows = { matrix, roots, means: weightedMeans(matrix, roots), shared };
  const descents = Array.from({ length: outputs }, (_, output) =>
    beginDescent(
      centred,
      Float64Array.from({ length: rows }, (__, row) => targets[row * outputs + output]!),
    ),
  );
  const tolerance = (options.tolerance ?? 1e-5) ** 2;
  const limit = options.maximumIterations ?? 400;

  let iterations = 0;
  while (iterations < limit && descents.some(({ norm, start }) => norm > tolerance * start)) {
    iterations++;
    for (const descent of descents) step(centred, descent, penalty);
    options.onIteration?.(iterations, Math.sqrt(Math.max(...descents.map(({ norm, start }) => norm / (start || 1)))));
  }

  const weights = new Float64Array(columns * outputs);
  const intercepts = new Float64Array(outputs);
  descents.forEach((descent, output) => {
    intercepts[output] = descent.targetMean - dot(centred.means, descent.weights);
    for (let column = 0; column < columns; column++) {
      weights[column * outputs + output] = descent.weights[column]! * (columnScales ? columnScales[column]! : 1);
    }
  });
  return { outputs, weights, intercepts, iterations };
}

/**
 * The matrix Q R (X − 1 μᵀ), with R the square roots of the row weights, μ the weighted means of the columns, and Q
 * the shrinkage of differences between groups, if there are any.
 */
interface CentredRows {
  readonly matrix: SparseRows;
  readonly roots: Float64Array;
  readonly means: Float64Array;
  readonly shared: SharedErrors | null;
}

/** The state of one output's conjugate-gradient descent. */
interface Descent {
  readonly targetMean: number;
  readonly weights: Float64Array;
  readonly residual: Float64Array;
  readonly gradient: Float64Array;
  readonly direction: Float64Array;
  readonly image: Float64Array;
  /** Squared length of the gradient, current and initial. */
  norm: number;
  readonly start: number;
}

function beginDescent(centred: CentredRows, targets: Float64Array): Descent {
  const { rows, columns } = centred.matrix;
  const targetMean = weightedMean(targets, centred.roots);
  const residual = shrinkGroupDifferences(
    targets.map((target, row) => centred.roots[row]! * (target - targetMean)),
    centred.roots,
    centred.shared,
  );
  const gradient = new Float64Array(columns);
  multiplyTransposed(centred, residual, gradient);
  const start = dot(gradient, gradient);
  return {
    targetMean,
    weights: new Float64Array(columns),
    residual,
    gradient,
    direction: gradient.slice(),
    image: new Float64Array(rows),
    norm: start,
    start,
  };
}

function step(centred: CentredRows, descent: Descent, penalty: number): void {
  const { weights, residual, gradient, direction, image } = descent;
  multiply(centred, direction, image);
  const curvature = dot(image, image) + penalty * dot(direction, direction);
  const length = curvature > 0 ? descent.norm / curvature : 0;
  for (let i = 0; i < weights.length; i++) weights[i] = weights[i]! + length * direction[i]!;
  for (let i = 0; i < residual.length; i++) residual[i] = residual[i]! - length * image[i]!;
  multiplyTransposed(centred, residual, gradient);
  for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! - penalty * weights[i]!;
  const norm = dot(gradient, gradient);
  const ratio = descent.norm > 0 ? norm / descent.norm : 0;
  for (let i = 0; i < direction.length; i++) direction[i] = gradient[i]! + ratio * direction[i]!;
  descent.norm = norm;
}

/**
 * The predictions of a fitted ridge regression, row by row: output `k` of row `i` is at `i * outputs + k`.
 *
 * @example
 * ```ts
 * const rows = sparseRows(1, [[], [{ index: 0, value: 1 }], [{ index: 0, value: 2 }]]);
 * const model = fitRidge(rows, Float64Array.of(1, 3, 5), 1, { penalty: 2 });
 * predictRidge(model, rows); // Float64Array [2, 3, 4]
 * ```
 */
export function predictRidge(model: RidgeModel, matrix: SparseRows): Float64Array {
  const { outputs } = model;
  const predictions = new Float64Array(matrix.rows * outputs);
  for (let row = 0; row < matrix.rows; row++) {
    const base = row * outputs;
    for (let output = 0; output < outputs; output++) predictions[base + output] = model.intercepts[output]!;
    for (let entry = matrix.offsets[row]!; entry < matrix.offsets[row + 1]!; entry++) {
      const column = matrix.indices[entry]! * outputs;
      const value = matrix.values[entry]!;
      for (let output = 0; output < outputs; output++) {
        predictions[base + output] = predictions[base + output]! + value * model.weights[column + output]!;
      }
    }
  }
  return predictions;
}

function squareRoots(weights: Float64Array | undefined, rows: number): Float64Array {
  return weights ? weights.map(Math.sqrt) : new Float64Array(rows).fill(1);
}

function weightedMeans({ offsets, indices, values, rows, columns }: SparseRows, roots: Float64Array): Float64Array {
  const means = new Float64Array(columns);
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const weight = roots[row]! ** 2;
    total += weight;
    for (let entry = offsets[row]!; entry < offsets[row + 1]!; entry++) {
      const column = indices[entry]!;
      means[column] = means[column]! + weight * values[entry]!;
    }
  }
  if (!(total > 0)) throw new RangeError("a regression needs at least one row of positive weight");
  return means.map((sum) => sum / total);
}

function weightedMean(targets: Float64Array, roots: Float64Array): number {
  let total = 0;
  let sum = 0;
  for (let row = 0; row < targets.length; row++) {
    const weight = roots[row]! ** 2;
    total += weight;
    sum += weight * targets[row]!;
  }
  return sum / total;
}

/** image = Q R (X − 1 μᵀ) direction. */
function multiply(centred: CentredRows, direction: Float64Array, image: Float64Array): void {
  const { matrix, roots, means, shared } = centred;
  const { offsets, indices, values, rows } = matrix;
  const shift = dot(means, direction);
  for (let row = 0; row < rows; row++) {
    const end = offsets[row + 1]!;
    let sum = -shift;
    for (let entry = offsets[row]!; entry < end; entry++) sum += values[entry]! * direction[indices[entry]!]!;
    image[row] = roots[row]! * sum;
  }
  shrinkGroupDifferences(image, roots, shared);
}

/** result = (X − 1 μᵀ)ᵀ R Q residual. */
function multiplyTransposed(centred: CentredRows, residual: Float64Array, result: Float64Array): void {
  const { matrix, roots, means, shared } = centred;
  const held = shared ? shrinkGroupDifferences(residual.slice(), roots, shared) : residual;
  const { offsets, indices, values, rows } = matrix;
  result.fill(0);
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const end = offsets[row + 1]!;
    const amount = roots[row]! * held[row]!;
    total += amount;
    for (let entry = offsets[row]!; entry < end; entry++) {
      const column = indices[entry]!;
      result[column] = result[column]! + values[entry]! * amount;
    }
  }
  for (let column = 0; column < result.length; column++) result[column] = result[column]! - means[column]! * total;
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}

/**
 * Rows that share an error, such as several texts by one writer. The part of the squared errors that lies between
 * groups counts `betweenWeight` times as much as the part within them: below one, differences between groups are
 * trusted less (the weighting of a random intercept per group; Fuller and Battese, "Transformations for Estimation of
 * Linear Models with Nested-Error Structure", 1973).
 */
interface RowGroups {
  /** By row: the number of its group, from 0. */
  readonly of: Uint32Array;
  readonly betweenWeight: number;
}

/** Q = I − (1 − √β) P, with β the weight between groups and P the projection on the groups' (weighted) means. */
interface SharedErrors {
  readonly of: Uint32Array;
  /** By group: the sum of its row weights. */
  readonly totals: Float64Array;
  readonly part: number;
}

function sharedErrors({ of, betweenWeight }: RowGroups, roots: Float64Array): SharedErrors {
  const totals = new Float64Array(of.reduce((most, group) => Math.max(most, group), 0) + 1);
  of.forEach((group, row) => {
    totals[group] = totals[group]! + roots[row]! ** 2;
  });
  return { of, totals, part: 1 - Math.sqrt(betweenWeight) };
}

/** Multiplies a vector over the rows by Q, in place. */
function shrinkGroupDifferences(vector: Float64Array, roots: Float64Array, shared: SharedErrors | null): Float64Array {
  if (!shared) return vector;
  const { of, totals, part } = shared;
  const sums = new Float64Array(totals.length);
  for (let row = 0; row < vector.length; row++) sums[of[row]!] = sums[of[row]!]! + roots[row]! * vector[row]!;
  for (let row = 0; row < vector.length; row++) {
    const group = of[row]!;
    if (totals[group]! > 0) vector[row] = vector[row]! - (part * roots[row]! * sums[group]!) / totals[group]!;
  }
  return vector;
}
