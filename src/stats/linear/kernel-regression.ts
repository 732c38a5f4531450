import { sum } from "../distribution.ts";
import { invertPositiveDefinite, type SquareMatrix } from "./positive-definite.ts";

/**
 * y = μ + Σ uᵢ + ε, uᵢ ~ N(0, vᵢ Kᵢ): rows that are similar under a kernel have similar values. A ridge regression
 * over blocks of features is this model, with one kernel per block.
 */
export interface VarianceComponents {
  /** The share of the targets' variance explained by each kernel. */
  readonly components: number[];
  /** The share not explained by any kernel. */
  readonly noise: number;
}

/**
 * Fits a kernel regression whose variances are known. α of the best linear unbiased predictor with a free mean: the
 * prediction for a row is the mean plus Σ vᵢ kᵢ·α, where kᵢ are its similarities to the rows trained on.
 *
 * @example
 * ```ts
 * const unrelated = Float64Array.of(1, 0, 0, 1); // two rows, like only themselves
 * dualWeights([unrelated], Float64Array.of(1, 3), { components: [1], noise: 1 });
 * // dual about [-0.5, 0.5], mean 2
 * ```
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
  const mean = dot(ones, targets) / sum(ones);
  return {
    dual: multiplyVector(
      inverse,
      targets.map((target) => target - mean),
      size,
    ),
    mean,
  };
}

/**
 * Cross-validates a kernel regression at the price of one fit. What each row would be predicted by the other rows, the
 * components being given: yᵢ − (P y)ᵢ / Pᵢᵢ, exactly what leaving the rows out one by one would give (Dubrule, 1983).
 *
 * @example
 * ```ts
 * const unrelated = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1); // three rows, like only themselves
 * leaveOneOut([unrelated], Float64Array.of(1, 2, 6), { components: [1], noise: 1 });
 * // each row is predicted by the mean of the other two: about [4, 3.5, 1.5]
 * ```
 */
export function leaveOneOut(
  kernels: readonly SquareMatrix[],
  targets: Float64Array,
  estimate: VarianceComponents,
  knownVariance?: Float64Array,
): Float64Array {
  const size = targets.length;
  const projection = projectionMatrix(kernels, estimate, size, knownVariance);
  const projected = multiplyVector(projection, targets, size);
  return targets.map((target, row) => target - projected[row]! / projection[row * size + row]!);
}

/** P = V⁻¹ − V⁻¹ 1 1ᵀ V⁻¹ / (1ᵀ V⁻¹ 1): V⁻¹ with the mean projected out. */
function projectionMatrix(
  kernels: readonly SquareMatrix[],
  estimate: VarianceComponents,
  size: number,
  knownVariance?: Float64Array,
): SquareMatrix {
  const projection = inverseCovariance(kernels, estimate, size, knownVariance);
  const sums = multiplyVector(projection, new Float64Array(size).fill(1), size);
  const total = sum(sums);
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

function multiplyVector(matrix: SquareMatrix, vector: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++) sum += matrix[row * size + column]! * vector[column]!;
    product[row] = sum;
  }
  return product;
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
