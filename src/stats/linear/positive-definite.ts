/** A square matrix by rows: `values[row * size + column]`. */
export type SquareMatrix = Float64Array;

/**
 * The inverse of a symmetric positive definite matrix, by its Cholesky factor: V = L Lᵀ, so V⁻¹ = L⁻ᵀ L⁻¹.
 * Returns null when the matrix is not positive definite.
 */
export function invertPositiveDefinite(matrix: SquareMatrix, size: number): SquareMatrix | null {
  const factor = choleskyFactor(matrix, size);
  if (factor === null) return null;
  const rows = invertLower(factor, size);
  const inverse = new Float64Array(size * size);
  // Adds the outer product of row i of L⁻¹ with itself; the row is zero beyond column i.
  for (let i = 0; i < size; i++) {
    for (let row = 0; row <= i; row++) {
      const scale = rows[i * size + row]!;
      if (scale === 0) continue;
      const base = row * size;
      for (let column = 0; column <= row; column++) {
        inverse[base + column] = inverse[base + column]! + scale * rows[i * size + column]!;
      }
    }
  }
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) inverse[column * size + row] = inverse[row * size + column]!;
  }
  return inverse;
}

/** L of V = L Lᵀ, or null when the matrix is not positive definite. */
export function choleskyFactor(matrix: SquareMatrix, size: number): SquareMatrix | null {
  const factor = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column]!;
      for (let k = 0; k < column; k++) sum -= factor[row * size + k]! * factor[column * size + k]!;
      if (row !== column) factor[row * size + column] = sum / factor[column * size + column]!;
      else if (sum > 0) factor[row * size + row] = Math.sqrt(sum);
      else return null;
    }
  }
  return factor;
}

/** L⁻¹ by forward substitution, whole rows at a time so that memory is read in order. */
function invertLower(factor: SquareMatrix, size: number): SquareMatrix {
  const inverse = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    const base = row * size;
    for (let k = 0; k < row; k++) {
      const scale = factor[base + k]!;
      if (scale === 0) continue;
      for (let column = 0; column <= k; column++) {
        inverse[base + column] = inverse[base + column]! - scale * inverse[k * size + column]!;
      }
    }
    const diagonal = factor[base + row]!;
    for (let column = 0; column < row; column++) inverse[base + column] = inverse[base + column]! / diagonal;
    inverse[base + row] = 1 / diagonal;
  }
  return inverse;
}
