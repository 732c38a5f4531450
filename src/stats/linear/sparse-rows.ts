import { sum } from "../distribution.ts";

/** A sparse matrix by rows (CSR): row `i` holds entries `offsets[i]` up to `offsets[i + 1]` of `indices` and `values`. */
export interface SparseRows {
  readonly rows: number;
  readonly columns: number;
  readonly offsets: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

export interface SparseEntry {
  readonly index: number;
  readonly value: number;
}

/**
 * Builds a sparse matrix from its non-zero entries, one list per row. Throws when an entry lies outside the columns.
 *
 * @example
 * ```ts
 * const matrix = sparseRows(1000, [[{ index: 3, value: 1 }, { index: 700, value: 2 }], []]);
 * matrix.rows; // 2; the second row is all zeros
 * ```
 */
export function sparseRows(columns: number, rows: readonly (readonly SparseEntry[])[]): SparseRows {
  const entries = sum(rows.map((row) => row.length));
  const offsets = new Uint32Array(rows.length + 1);
  const indices = new Uint32Array(entries);
  const values = new Float32Array(entries);
  let cursor = 0;
  rows.forEach((row, position) => {
    for (const { index, value } of row) {
      if (index >= columns) throw new RangeError(`column ${index} is outside a matrix of ${columns} columns`);
      indices[cursor] = index;
      values[cursor] = value;
      cursor++;
    }
    offsets[position + 1] = cursor;
  });
  return { rows: rows.length, columns, offsets, indices, values };
}

/**
 * The rows at `positions`, in that order: how a fold takes its training part.
 *
 * @example
 * ```ts
 * const matrix = sparseRows(2, [[{ index: 0, value: 1 }], [{ index: 1, value: 2 }], []]);
 * selectRows(matrix, [1, 0]).values; // Float32Array [2, 1]
 * ```
 */
export function selectRows(matrix: SparseRows, positions: ArrayLike<number>): SparseRows {
  let entries = 0;
  for (let i = 0; i < positions.length; i++) {
    const row = positions[i]!;
    entries += matrix.offsets[row + 1]! - matrix.offsets[row]!;
  }
  const offsets = new Uint32Array(positions.length + 1);
  const indices = new Uint32Array(entries);
  const values = new Float32Array(entries);
  let cursor = 0;
  for (let i = 0; i < positions.length; i++) {
    const start = matrix.offsets[positions[i]!]!;
    const end = matrix.offsets[positions[i]! + 1]!;
    indices.set(matrix.indices.subarray(start, end), cursor);
    values.set(matrix.values.subarray(start, end), cursor);
    cursor += end - start;
    offsets[i + 1] = cursor;
  }
  return { rows: positions.length, columns: matrix.columns, offsets, indices, values };
}

/** Every column times its scale. */
export function scaleColumns(matrix: SparseRows, scales: Float64Array): SparseRows {
  const values = matrix.values.slice();
  for (let entry = 0; entry < values.length; entry++) {
    values[entry] = values[entry]! * scales[matrix.indices[entry]!]!;
  }
  return { ...matrix, values };
}
