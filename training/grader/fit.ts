import { FIRST_NGRAM_COLUMN, FIRST_STYLE_COLUMN } from "../../src/jury/window-features.ts";
import { fitRidge, type RidgeModel } from "../../src/stats/linear/ridge-regression.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";
import type { Corpus } from "./corpus.ts";
import type { ChapterRow, TrainingSettings } from "./settings.ts";

const TOLERANCE = 2e-3;

/** How strongly weights are held back, of which features, and by whose chapters. */
type Restraint = Pick<TrainingSettings, "ngramScale" | "styleScale" | "penalty" | "writerWeight">;

/**
 * One ridge regression per pattern of missing grades: a chapter without a grade for a criterion teaches the judge
 * nothing about it, and everything about the others.
 */
export function fitOutputs(
  corpus: Corpus,
  rows: readonly ChapterRow[],
  matrix: SparseRows,
  outputs: readonly number[],
  restraint: Restraint,
  onIteration?: (iteration: number, residual: number) => void,
): RidgeModel {
  const weights = new Float64Array(matrix.columns * outputs.length);
  const intercepts = new Float64Array(outputs.length);
  const columnScales = scalesOf(matrix.columns, restraint);
  const groups = { of: writerNumbers(corpus, rows), betweenWeight: restraint.writerWeight };
  let iterations = 0;
  for (const group of groupsByGaps(corpus, rows, outputs)) {
    const grade = ({ chapter }: ChapterRow, slot: number) => corpus.chapters[chapter]!.targets[outputs[slot]!]!;
    const isGraded = (row: ChapterRow) => !Number.isNaN(grade(row, group[0]!));
    const model = fitRidge(
      matrix,
      Float64Array.from(rows.flatMap((row) => group.map((slot) => (isGraded(row) ? grade(row, slot) : 0)))),
      group.length,
      {
        penalty: restraint.penalty,
        rowWeights: Float64Array.from(rows, (row) => (isGraded(row) ? row.weight : 0)),
        columnScales,
        groups,
        tolerance: TOLERANCE,
        ...(onIteration ? { onIteration } : {}),
      },
    );
    iterations = Math.max(iterations, model.iterations);
    group.forEach((slot, position) => {
      intercepts[slot] = model.intercepts[position]!;
      for (let column = 0; column < matrix.columns; column++) {
        weights[column * outputs.length + slot] = model.weights[column * group.length + position]!;
      }
    });
  }
  return { outputs: outputs.length, weights, intercepts, iterations };
}

function scalesOf(columns: number, { ngramScale, styleScale }: Restraint): Float64Array {
  return new Float64Array(columns)
    .fill(1)
    .fill(styleScale, FIRST_STYLE_COLUMN, FIRST_NGRAM_COLUMN)
    .fill(ngramScale, FIRST_NGRAM_COLUMN);
}

function writerNumbers({ chapters }: Corpus, rows: readonly ChapterRow[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(rows, ({ chapter }) => {
    const { writer } = chapters[chapter]!;
    const number = numbers.get(writer) ?? numbers.size;
    numbers.set(writer, number);
    return number;
  });
}

function groupsByGaps(corpus: Corpus, rows: readonly ChapterRow[], outputs: readonly number[]): number[][] {
  const groups = new Map<string, number[]>();
  const chapters = [...new Set(rows.map(({ chapter }) => chapter))];
  outputs.forEach((output, slot) => {
    const gaps = chapters.filter((chapter) => Number.isNaN(corpus.chapters[chapter]!.targets[output]!)).join(",");
    groups.set(gaps, [...(groups.get(gaps) ?? []), slot]);
  });
  return [...groups.values()];
}
