import { fitRidge, type RidgeModel } from "../../stats/linear/ridge-regression.ts";
import type { SparseRows } from "../../stats/linear/sparse-rows.ts";
import { FIRST_NGRAM_COLUMN, WindowFeatures } from "../window-features.ts";
import type { Corpus } from "./corpus.ts";
import type { FeatureSpace } from "./feature-space.ts";
import type { TrainingWindow } from "./window-set.ts";

/** The feature rows of windows, chapter by chapter, so that each chapter is read once. */
export function windowRows(space: FeatureSpace, windows: readonly TrainingWindow[]): SparseRows {
  const features = new WindowFeatures(space.scales);
  const columns = FIRST_NGRAM_COLUMN + space.ngramHashes.length;
  const offsets = new Uint32Array(windows.length + 1);
  let indices = new Uint32Array(windows.length * 800);
  let values = new Float32Array(windows.length * 800);
  let cursor = 0;
  let chapter = -1;
  let reading: ReturnType<FeatureSpace["read"]> | null = null;
  windows.forEach((window, row) => {
    if (window.chapter !== chapter || !reading) {
      chapter = window.chapter;
      reading = space.read(chapter);
    }
    features.read(reading, window.from, window.to);
    if (cursor + features.presentCount > indices.length) {
      indices = enlarged(indices, new Uint32Array(indices.length * 1.5 + features.presentCount));
      values = enlarged(values, new Float32Array(values.length * 1.5 + features.presentCount));
    }
    for (let i = 0; i < features.presentCount; i++) {
      const column = features.present[i]!;
      indices[cursor] = column;
      values[cursor] = features.values[column]!;
      cursor++;
    }
    offsets[row + 1] = cursor;
  });
  return {
    rows: windows.length,
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

/**
 * One ridge regression per pattern of missing grades: a chapter without a grade for a criterion teaches the judge
 * nothing about it, and everything about the others.
 */
export function fitOutputs(
  corpus: Corpus,
  windows: readonly TrainingWindow[],
  rows: SparseRows,
  outputs: readonly number[],
  penalty: number,
  onIteration?: (iteration: number, residual: number) => void,
): RidgeModel {
  const weights = new Float64Array(rows.columns * outputs.length);
  const intercepts = new Float64Array(outputs.length);
  let iterations = 0;
  for (const group of groupsByGaps(corpus, windows, outputs)) {
    const present = (window: TrainingWindow) =>
      !Number.isNaN(corpus.chapters[window.chapter]!.targets[outputs[group[0]!]!]!);
    const rowWeights = Float64Array.from(windows, (window) => (present(window) ? 1 : 0));
    const targets = Float64Array.from(
      windows.flatMap((window) =>
        group.map((slot) => (present(window) ? corpus.chapters[window.chapter]!.targets[outputs[slot]!]! : 0)),
      ),
    );
    const model = fitRidge(rows, targets, group.length, {
      penalty,
      rowWeights,
      tolerance: 3e-3,
      ...(onIteration ? { onIteration } : {}),
    });
    iterations = Math.max(iterations, model.iterations);
    group.forEach((slot, position) => {
      intercepts[slot] = model.intercepts[position]!;
      for (let column = 0; column < rows.columns; column++) {
        weights[column * outputs.length + slot] = model.weights[column * group.length + position]!;
      }
    });
  }
  return { outputs: outputs.length, weights, intercepts, iterations };
}

function groupsByGaps(corpus: Corpus, windows: readonly TrainingWindow[], outputs: readonly number[]): number[][] {
  const groups = new Map<string, number[]>();
  const chapters = [...new Set(windows.map(({ chapter }) => chapter))];
  outputs.forEach((output, slot) => {
    const gaps = chapters.filter((chapter) => Number.isNaN(corpus.chapters[chapter]!.targets[output]!)).join(",");
    groups.set(gaps, [...(groups.get(gaps) ?? []), slot]);
  });
  return [...groups.values()];
}
