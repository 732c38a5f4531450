import { invertPositiveDefinite, type SquareMatrix } from "./positive-definite.ts";

export interface VarianceComponents {
  /** How much of the targets' variance each kernel carries. */
  readonly components: number[];
  /** What no kernel carries. */
  readonly noise: number;
}

export interface ComponentOptions {
  /** Variance that is known beforehand, per row: that of an average of few ratings. Zero when absent. */
  readonly knownVariance?: Float64Array;
  readonly iterations?: number;
  readonly onIteration?: (iteration: number) => void;
}

/** A weak prior keeps a kernel that has nothing to say from running off to zero: log-normal, this wide, in logarithms. */
const PRIOR_DEVIATION = 3;
const LONGEST_STEP = 1.5;

/**
 * How much each of several kernels (similarities between rows) has to do with the targets: the variance components of
 * y = μ + Σ uᵢ + ε, uᵢ ~ N(0, vᵢ Kᵢ), by restricted maximum likelihood. A ridge regression over blocks of features is
 * this model with the blocks' weights given; here they are estimated, from the rows it is given and nothing else.
 *
 * Newton steps on log vᵢ with the average-information matrix (Gilmour, Thompson and Cullis, 1995) in place of second
 * derivatives: one inversion a step, and about ten steps.
 */
export function varianceComponents(
  kernels: readonly SquareMatrix[],
  targets: Float64Array,
  options: ComponentOptions = {},
): VarianceComponents {
  const size = targets.length;
  const spread = varianceOf(targets);
  const parts = kernels.length + 1;
  const centre = Math.log(spread / (2 * parts));
  const logs = new Float64Array(parts).fill(centre);
  for (let iteration = 1; iteration <= (options.iterations ?? 12); iteration++) {
    const variances = logs.map(Math.exp);
    const projection = projectionMatrix(kernels, namedParts(variances), size, options.knownVariance);
    const projected = multiplyVector(projection, targets, size);
    const images = [...kernels.map((kernel) => multiplyVector(kernel, projected, size)), projected];
    const traces = [...kernels.map((kernel) => dot(projection, kernel)), trace(projection, size)];
    const halfImages = images.map((image) => multiplyVector(projection, image, size));
    const gradient = logs.map((log, i) => {
      const fit = dot(images[i]!, projected);
      return 0.5 * variances[i]! * (traces[i]! - fit) + (log - centre) / PRIOR_DEVIATION ** 2;
    });
    const information = new Float64Array(parts * parts);
    for (let i = 0; i < parts; i++) {
      for (let j = 0; j < parts; j++) {
        const shared = 0.5 * variances[i]! * variances[j]! * dot(images[i]!, halfImages[j]!);
        information[i * parts + j] = shared + (i === j ? 1 / PRIOR_DEVIATION ** 2 : 0);
      }
    }
    const step = multiplyVector(inverseOf(information, parts), gradient, parts);
    const scale = Math.min(1, LONGEST_STEP / Math.max(...step.map(Math.abs)));
    for (let i = 0; i < parts; i++) logs[i] = logs[i]! - scale * step[i]!;
    options.onIteration?.(iteration);
  }
  return namedParts(logs.map(Math.exp));
}

function namedParts(variances: Float64Array): VarianceComponents {
  return { components: [...variances.subarray(0, -1)], noise: variances.at(-1)! };
}

/**
 * α of the best linear unbiased predictor with a free mean: the prediction for a row is the mean plus Σ vᵢ kᵢ·α, where kᵢ
 * are its similarities to the rows trained on.
 */
export function dualWeights(
  kernels: readonly SquareMatrix[],
  targets: Float64Array,
  estimate: VarianceComponents,
  knownVariance?: Float64Array,
): { readonly dual: Float64Array; readonly mean: number } {
  const size = targets.length;
  const inverse = inverseCovariance(kernels, estimate, size, knownVariance);
  const ones = multiplyVector(inverse, new Float64Array(size).fill(1), size);
  const mean = dot(ones, targets) / ones.reduce((sum, value) => sum + value, 0);
  return {
    dual: multiplyVector(
      inverse,
      targets.map((target) => target - mean),
      size,
    ),
    mean,
  };
}

/** P = V⁻¹ − V⁻¹ 1 1ᵀ V⁻¹ / (1ᵀ V⁻¹ 1): V⁻¹ with the mean taken out. */
function projectionMatrix(
  kernels: readonly SquareMatrix[],
  estimate: VarianceComponents,
  size: number,
  knownVariance?: Float64Array,
): SquareMatrix {
  const projection = inverseCovariance(kernels, estimate, size, knownVariance);
  const sums = multiplyVector(projection, new Float64Array(size).fill(1), size);
  const total = sums.reduce((sum, value) => sum + value, 0);
  for (let row = 0; row < size; row++) {
    const scale = sums[row]! / total;
    for (let column = 0; column < size; column++) {
      projection[row * size + column] = projection[row * size + column]! - scale * sums[column]!;
    }
  }
  return projection;
}

function inverseCovariance(
  kernels: readonly SquareMatrix[],
  { components, noise }: VarianceComponents,
  size: number,
  knownVariance?: Float64Array,
): SquareMatrix {
  const covariance = new Float64Array(size * size);
  kernels.forEach((kernel, index) => {
    const scale = components[index]!;
    for (let i = 0; i < covariance.length; i++) covariance[i] = covariance[i]! + scale * kernel[i]!;
  });
  for (let row = 0; row < size; row++) {
    covariance[row * size + row] = covariance[row * size + row]! + noise + (knownVariance?.[row] ?? 0);
  }
  return inverseOf(covariance, size);
}

function inverseOf(matrix: SquareMatrix, size: number): SquareMatrix {
  const inverse = invertPositiveDefinite(matrix, size);
  if (inverse === null) throw new RangeError("the kernels must be positive semidefinite");
  return inverse;
}

function varianceOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}

function multiplyVector(matrix: SquareMatrix, vector: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++) sum += matrix[row * size + column]! * vector[column]!;
    product[row] = sum;
  }
  return product;
}

function trace(matrix: SquareMatrix, size: number): number {
  let sum = 0;
  for (let row = 0; row < size; row++) sum += matrix[row * size + row]!;
  return sum;
}

/** For symmetric matrices this is the trace of their product. */
function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
