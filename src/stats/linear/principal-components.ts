import { mean, standardDeviation, sum, sumBy } from "../distribution.ts";

interface SymmetricEigen {
  /** Descending. */
  readonly values: readonly number[];
  /** `vectors[i]` belongs to `values[i]`; unit length. */
  readonly vectors: readonly (readonly number[])[];
}

const SWEEPS = 60;

/** Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations: slow for thousands, exact for dozens. */
function symmetricEigen(matrix: readonly (readonly number[])[]): SymmetricEigen {
  const size = matrix.length;
  const work = matrix.map((row) => [...row]);
  const vectors = work.map((_, i) => work.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < SWEEPS && offDiagonal(work) > 0; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(work, vectors, p, q);
  }
  const order = work.map((_, i) => i).sort((a, b) => work[b]![b]! - work[a]![a]!);
  return {
    values: order.map((i) => work[i]![i]!),
    vectors: order.map((i) => vectors.map((row) => row[i]!)),
  };
}

function offDiagonal(work: readonly (readonly number[])[]): number {
  let total = 0;
  for (let p = 0; p < work.length; p++) for (let q = p + 1; q < work.length; q++) total += work[p]![q]! ** 2;
  return total;
}

/** Makes entry (p, q) zero and keeps the matrix symmetric. */
function rotate(work: number[][], vectors: number[][], p: number, q: number): void {
  const entry = work[p]![q]!;
  if (entry === 0) return;
  const slope = (work[q]![q]! - work[p]![p]!) / (2 * entry);
  const tangent = (slope >= 0 ? 1 : -1) / (Math.abs(slope) + Math.hypot(slope, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  for (const row of work) turn(row, p, q, cosine, sine);
  for (let column = 0; column < work.length; column++) {
    const upper = work[p]![column]!;
    const lower = work[q]![column]!;
    work[p]![column] = cosine * upper - sine * lower;
    work[q]![column] = sine * upper + cosine * lower;
  }
  work[p]![q] = 0;
  work[q]![p] = 0;
  for (const row of vectors) turn(row, p, q, cosine, sine);
}

function turn(row: number[], p: number, q: number, cosine: number, sine: number): void {
  const left = row[p]!;
  const right = row[q]!;
  row[p] = cosine * left - sine * right;
  row[q] = sine * left + cosine * right;
}

export interface PrincipalComponents {
  readonly means: readonly number[];
  /** What each column is divided by; 1 unless standardised. A constant column keeps 1 and loads on nothing. */
  readonly scales: readonly number[];
  /** `loadings[component][column]`, unit length; the largest loading of each component is positive. */
  readonly loadings: readonly (readonly number[])[];
  readonly variances: readonly number[];
  /** The share of the total variance per component; all zero when nothing varies. */
  readonly explained: readonly number[];
}

/**
 * Principal components of rows of equal length, from the sample covariance (divisor n − 1) or, standardised, the
 * correlation matrix. Use `standardise` when the columns have different units.
 *
 * @example
 * ```ts
 * principalComponents([[1, 1], [2, 2], [3, 3]]).explained; // about [1, 0]: one direction carries everything
 * ```
 */
export function principalComponents(
  rows: readonly (readonly number[])[],
  options: { readonly standardise?: boolean } = {},
): PrincipalComponents {
  const columns = rows[0]?.length ?? 0;
  if (rows.length < 2 || columns === 0) throw new RangeError("principal components need at least two rows");
  if (rows.some((row) => row.length !== columns)) throw new RangeError("all rows must have the same length");
  const column = (index: number) => rows.map((row) => row[index]!);
  const indices = Array.from({ length: columns }, (_, index) => index);
  const means = indices.map((index) => mean(column(index)));
  const scales = indices.map((index) => (options.standardise ? standardDeviation(column(index)) || 1 : 1));
  const centred = rows.map((row) => row.map((value, index) => (value - means[index]!) / scales[index]!));
  const covariance = indices.map((a) =>
    indices.map((b) => sum(centred.map((row) => row[a]! * row[b]!)) / (rows.length - 1)),
  );
  const { values, vectors } = symmetricEigen(covariance);
  const variances = values.map((value) => Math.max(0, value));
  const total = sum(variances);
  return {
    means,
    scales,
    loadings: vectors.map(withPositiveLead),
    variances,
    explained: variances.map((value) => (total > 0 ? value / total : 0)),
  };
}

/**
 * A row's coordinates along the components. The row may be new; it needs the same columns.
 *
 * @example
 * ```ts
 * const model = principalComponents([[1, 1], [2, 2], [3, 3]]);
 * projectOnComponents(model, [3, 3]); // about [1.414, 0]
 * ```
 */
export function projectOnComponents(model: PrincipalComponents, row: readonly number[]): number[] {
  const centred = row.map((value, index) => (value - model.means[index]!) / model.scales[index]!);
  return model.loadings.map((loading) => sumBy(loading, (weight, index) => weight * centred[index]!));
}

function withPositiveLead(vector: readonly number[]): number[] {
  const lead = vector.reduce((best, value) => (Math.abs(value) > Math.abs(best) + 1e-12 ? value : best), 0);
  return vector.map((value) => (lead < 0 ? -value : value));
}
