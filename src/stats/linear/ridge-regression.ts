import type { SparseRows } from "./sparse-rows.ts";

export interface RidgeOptions {
  /** The penalty λ on the squared weights; the intercept is not penalised. */
  readonly penalty: number;
  /** A weight per row; all one when absent. */
  readonly rowWeights?: Float64Array;
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
 * the intercept stays unpenalised. All outputs share each pass over the matrix, each with its own step lengths.
 */
export function fitRidge(
  matrix: SparseRows,
  targets: Float64Array,
  outputs: number,
  options: RidgeOptions,
): RidgeModel {
  const { rows, columns } = matrix;
  if (targets.length !== rows * outputs) throw new RangeError("targets must hold rows × outputs values");
  if (!(options.penalty > 0)) throw new RangeError("the penalty must be positive");
  const rootWeights = squareRoots(options.rowWeights, rows);
  const { columnMeans, targetMeans } = weightedMeans(matrix, targets, outputs, rootWeights);

  const weights = new Float64Array(columns * outputs);
  const residual = centredTargets(targets, targetMeans, outputs, rootWeights);
  const gradient = new Float64Array(columns * outputs);
  multiplyTransposed(matrix, residual, outputs, rootWeights, columnMeans, gradient);
  const direction = gradient.slice();
  const image = new Float64Array(rows * outputs);
  let norms = columnNorms(gradient, outputs);
  const start = norms.slice();
  const tolerance = (options.tolerance ?? 1e-5) ** 2;
  const limit = options.maximumIterations ?? 400;

  let iterations = 0;
  while (iterations < limit && norms.some((norm, output) => norm > tolerance * start[output]!)) {
    iterations++;
    multiply(matrix, direction, outputs, rootWeights, columnMeans, image);
    const imageNorms = columnNorms(image, outputs);
    const directionNorms = columnNorms(direction, outputs);
    const steps = norms.map((norm, output) => {
      const curvature = imageNorms[output]! + options.penalty * directionNorms[output]!;
      return curvature > 0 ? norm / curvature : 0;
    });
    addScaled(weights, direction, steps, 1, outputs);
    addScaled(residual, image, steps, -1, outputs);
    multiplyTransposed(matrix, residual, outputs, rootWeights, columnMeans, gradient);
    for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! - options.penalty * weights[i]!;
    const next = columnNorms(gradient, outputs);
    const ratios = next.map((norm, output) => (norms[output]! > 0 ? norm / norms[output]! : 0));
    for (let i = 0; i < direction.length; i++) direction[i] = gradient[i]! + ratios[i % outputs]! * direction[i]!;
    norms = next;
    options.onIteration?.(iterations, Math.sqrt(Math.max(...Array.from(norms, (norm, o) => norm / (start[o]! || 1)))));
  }
  return { outputs, weights, intercepts: interceptsOf(weights, columnMeans, targetMeans, outputs), iterations };
}

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
  const roots = new Float64Array(rows).fill(1);
  if (weights) for (let row = 0; row < rows; row++) roots[row] = Math.sqrt(weights[row]!);
  return roots;
}

function weightedMeans(matrix: SparseRows, targets: Float64Array, outputs: number, roots: Float64Array) {
  const columnMeans = new Float64Array(matrix.columns);
  const targetMeans = new Float64Array(outputs);
  let total = 0;
  for (let row = 0; row < matrix.rows; row++) {
    const weight = roots[row]! ** 2;
    total += weight;
    for (let entry = matrix.offsets[row]!; entry < matrix.offsets[row + 1]!; entry++) {
      const column = matrix.indices[entry]!;
      columnMeans[column] = columnMeans[column]! + weight * matrix.values[entry]!;
    }
    for (let o = 0; o < outputs; o++) targetMeans[o] = targetMeans[o]! + weight * targets[row * outputs + o]!;
  }
  if (!(total > 0)) throw new RangeError("a regression needs at least one row of positive weight");
  for (let column = 0; column < matrix.columns; column++) columnMeans[column] = columnMeans[column]! / total;
  for (let output = 0; output < outputs; output++) targetMeans[output] = targetMeans[output]! / total;
  return { columnMeans, targetMeans };
}

function centredTargets(targets: Float64Array, means: Float64Array, outputs: number, roots: Float64Array) {
  const centred = new Float64Array(targets.length);
  for (let i = 0; i < targets.length; i++) {
    centred[i] = roots[Math.floor(i / outputs)]! * (targets[i]! - means[i % outputs]!);
  }
  return centred;
}

/** image = R (X − 1 μᵀ) direction, with R the square roots of the row weights. */
function multiply(
  matrix: SparseRows,
  direction: Float64Array,
  outputs: number,
  roots: Float64Array,
  means: Float64Array,
  image: Float64Array,
): void {
  const shift = new Float64Array(outputs);
  for (let column = 0; column < matrix.columns; column++) {
    const mean = means[column]!;
    if (mean === 0) continue;
    for (let o = 0; o < outputs; o++) shift[o] = shift[o]! + mean * direction[column * outputs + o]!;
  }
  const sums = new Float64Array(outputs);
  for (let row = 0; row < matrix.rows; row++) {
    for (let o = 0; o < outputs; o++) sums[o] = -shift[o]!;
    for (let entry = matrix.offsets[row]!; entry < matrix.offsets[row + 1]!; entry++) {
      const column = matrix.indices[entry]! * outputs;
      const value = matrix.values[entry]!;
      for (let o = 0; o < outputs; o++) sums[o] = sums[o]! + value * direction[column + o]!;
    }
    for (let o = 0; o < outputs; o++) image[row * outputs + o] = roots[row]! * sums[o]!;
  }
}

/** result = (X − 1 μᵀ)ᵀ R residual. */
function multiplyTransposed(
  matrix: SparseRows,
  residual: Float64Array,
  outputs: number,
  roots: Float64Array,
  means: Float64Array,
  result: Float64Array,
): void {
  result.fill(0);
  const totals = new Float64Array(outputs);
  for (let row = 0; row < matrix.rows; row++) {
    const root = roots[row]!;
    const base = row * outputs;
    for (let o = 0; o < outputs; o++) totals[o] = totals[o]! + root * residual[base + o]!;
    for (let entry = matrix.offsets[row]!; entry < matrix.offsets[row + 1]!; entry++) {
      const column = matrix.indices[entry]! * outputs;
      const value = matrix.values[entry]! * root;
      for (let o = 0; o < outputs; o++) result[column + o] = result[column + o]! + value * residual[base + o]!;
    }
  }
  for (let column = 0; column < matrix.columns; column++) {
    const mean = means[column]!;
    if (mean === 0) continue;
    for (let o = 0; o < outputs; o++) result[column * outputs + o] = result[column * outputs + o]! - mean * totals[o]!;
  }
}

function columnNorms(block: Float64Array, outputs: number): Float64Array {
  const norms = new Float64Array(outputs);
  for (let i = 0; i < block.length; i += outputs) {
    for (let o = 0; o < outputs; o++) norms[o] = norms[o]! + block[i + o]! ** 2;
  }
  return norms;
}

function addScaled(into: Float64Array, block: Float64Array, steps: Float64Array, sign: number, outputs: number): void {
  for (let i = 0; i < into.length; i += outputs) {
    for (let o = 0; o < outputs; o++) into[i + o] = into[i + o]! + sign * steps[o]! * block[i + o]!;
  }
}

function interceptsOf(weights: Float64Array, columnMeans: Float64Array, targetMeans: Float64Array, outputs: number) {
  const intercepts = targetMeans.slice();
  for (let column = 0; column < columnMeans.length; column++) {
    const mean = columnMeans[column]!;
    if (mean === 0) continue;
    for (let o = 0; o < outputs; o++) intercepts[o] = intercepts[o]! - mean * weights[column * outputs + o]!;
  }
  return intercepts;
}
