import { FIRST_NGRAM_COLUMN, WindowFeatures } from "../../src/jury/window-features.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";
import type { ChapterRow } from "./chapter-rows.ts";
import type { FeatureSpace } from "./feature-space.ts";

/** The features of rows: of each the mean over its windows, by their words. */
export function featureRows(space: FeatureSpace, rows: readonly ChapterRow[]): SparseRows {
  const columns = FIRST_NGRAM_COLUMN + space.ngramHashes.length;
  const features = new WindowFeatures(space.scales);
  const sums = new Float64Array(columns);
  const touched = new Uint32Array(columns);
  const offsets = new Uint32Array(rows.length + 1);
  let indices = new Uint32Array(rows.length * 800);
  let values = new Float32Array(rows.length * 800);
  let cursor = 0;
  rows.forEach(({ chapter, windows }, row) => {
    const reading = space.read(chapter);
    let count = 0;
    let words = 0;
    for (const { from, to } of windows) {
      features.read(reading, from, to);
      words += features.words;
      for (let i = 0; i < features.presentCount; i++) {
        const column = features.present[i]!;
        if (sums[column] === 0) touched[count++] = column;
        sums[column] = sums[column]! + features.words * features.values[i]!;
      }
    }
    if (cursor + count > indices.length) {
      indices = enlarged(indices, new Uint32Array(indices.length * 1.5 + count));
      values = enlarged(values, new Float32Array(values.length * 1.5 + count));
    }
    for (let i = 0; i < count; i++) {
      const column = touched[i]!;
      indices[cursor] = column;
      values[cursor] = sums[column]! / words;
      sums[column] = 0;
      cursor++;
    }
    offsets[row + 1] = cursor;
  });
  return {
    rows: rows.length,
    columns,
    offsets,
    indices: indices.subarray(0, cursor),
    values: values.subarray(0, cursor),
  };
}

function enlarged<A extends Uint32Array | Float32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
