export interface SymmetricEigen {
  /** Descending. */
  readonly values: readonly number[];
  /** `vectors[i]` belongs to `values[i]`; unit length. */
  readonly vectors: readonly (readonly number[])[];
}

const SWEEPS = 60;

/** Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations: slow for thousands, exact for dozens. */
export function symmetricEigen(matrix: readonly (readonly number[])[]): SymmetricEigen {
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
