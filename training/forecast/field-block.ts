import { encoderWidth, type FieldEncoder, fieldReader } from "../../src/forecast/field-encoder.ts";
import type { KnownBook } from "../../src/forecast/forecast-input.ts";
import type { SparseEntry, SquareMatrix } from "../../src/stats/index.ts";

/** One field of all training books, and how alike every two books are in it. */
export interface FieldBlock {
  readonly encoder: FieldEncoder;
  /** Entries per book; null where the field is missing. */
  readonly rows: readonly (readonly SparseEntry[] | null)[];
  /** The mean of each term over the books that have the field. */
  readonly means: Float64Array;
  /** Centred and scaled to a mean square of one, so that the weights of different fields can be compared. */
  readonly kernel: SquareMatrix;
  readonly kernelScale: number;
}

export function fieldBlock(encoder: FieldEncoder, books: readonly KnownBook[]): FieldBlock {
  const read = fieldReader(encoder);
  const rows = books.map((book) => read(book).entries);
  const given = rows.filter((row) => row !== null);
  const means = new Float64Array(encoderWidth(encoder));
  for (const row of given) for (const { index, value } of row) means[index] = means[index]! + value / given.length;
  const kernel = centredKernel(rows, means);
  let trace = 0;
  for (let row = 0; row < rows.length; row++) trace += kernel[row * rows.length + row]!;
  const kernelScale = trace > 0 ? given.length / trace : 1;
  return { encoder, rows, means, kernel: kernel.map((value) => value * kernelScale), kernelScale };
}

/** (x − μ)·(z − μ) for every two books; a book without the field stands where the average book stands: zeros. */
function centredKernel(rows: FieldBlock["rows"], means: Float64Array): SquareMatrix {
  const size = rows.length;
  const kernel = new Float64Array(size * size);
  rows.forEach((entries, row) => {
    if (entries === null) return;
    const centred = means.map((mean) => -mean);
    for (const { index, value } of entries) centred[index] = centred[index]! + value;
    const atMean = centred.reduce((sum, value, term) => sum + value * means[term]!, 0);
    rows.forEach((others, column) => {
      if (others === null) return;
      let similarity = -atMean;
      for (const { index, value } of others) similarity += value * centred[index]!;
      kernel[row * size + column] = similarity;
    });
  });
  return kernel;
}
