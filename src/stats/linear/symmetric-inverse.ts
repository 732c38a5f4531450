/** The inverse of a symmetric positive definite matrix through its Cholesky factor, or null when it is not one. */
export function symmetricInverse(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const factor = matrix.map(() => new Float64Array(size));
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k++) rest -= factor[i]![k]! * factor[j]![k]!;
      if (i !== j) factor[i]![j] = rest / factor[j]![j]!;
      else if (rest > 0) factor[i]![i] = Math.sqrt(rest);
      else return null;
    }
  }
  const columns = matrix.map((_, unit) => solveWithFactor(factor, unit));
  return matrix.map((_, row) => columns.map((column) => column[row]!));
}

/** Forward, then backward substitution for one unit vector. */
function solveWithFactor(factor: readonly Float64Array[], unit: number): Float64Array {
  const size = factor.length;
  const solution = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let rest = i === unit ? 1 : 0;
    for (let k = 0; k < i; k++) rest -= factor[i]![k]! * solution[k]!;
    solution[i] = rest / factor[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let rest = solution[i]!;
    for (let k = i + 1; k < size; k++) rest -= factor[k]![i]! * solution[k]!;
    solution[i] = rest / factor[i]![i]!;
  }
  return solution;
}
