import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { fitRidge, predictRidge } from "./ridge-regression.ts";
import { selectRows, sparseRows } from "./sparse-rows.ts";

/** Gaussian elimination on the centred normal equations, as an independent way to compute the weights. */
function denseRidge(rows: number[][], targets: number[], weights: number[], penalty: number) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const columns = rows[0]!.length;
  const mean = (pick: (row: number) => number) => rows.reduce((sum, _, i) => sum + weights[i]! * pick(i), 0) / total;
  const means = Array.from({ length: columns }, (_, column) => mean((row) => rows[row]![column]!));
  const targetMean = mean((row) => targets[row]!);
  const system = means.map((_, a) => [
    ...means.map((__, b) =>
      rows.reduce(
        (sum, row, i) => sum + weights[i]! * (row[a]! - means[a]!) * (row[b]! - means[b]!),
        a === b ? penalty : 0,
      ),
    ),
    rows.reduce((sum, row, i) => sum + weights[i]! * (row[a]! - means[a]!) * (targets[i]! - targetMean), 0),
  ]);
  for (let pivot = 0; pivot < columns; pivot++) {
    for (let row = 0; row < columns; row++) {
      if (row === pivot) continue;
      const factor = system[row]![pivot]! / system[pivot]![pivot]!;
      for (let column = pivot; column <= columns; column++) {
        system[row]![column] = system[row]![column]! - factor * system[pivot]![column]!;
      }
    }
  }
  const solution = system.map((row, pivot) => row[columns]! / row[pivot]!);
  const intercept = targetMean - solution.reduce((sum, weight, column) => sum + weight * means[column]!, 0);
  return { solution, intercept };
}

describe("ridge regression over sparse rows", () => {
  const random = seededRandom(3);
  const dense = Array.from({ length: 40 }, () =>
    Array.from({ length: 6 }, () => (random() < 0.5 ? 0 : random() - 0.3)),
  );
  const matrix = sparseRows(
    6,
    dense.map((row) => row.flatMap((value, index) => (value === 0 ? [] : [{ index, value }]))),
  );
  const targets = dense.map((row) => 2 + 3 * row[0]! - row[3]! + 0.1 * random());
  const second = dense.map((row) => -1 + row[1]! * 0.5);
  const rowWeights = Float64Array.from(dense, () => 0.5 + random());
  const both = Float64Array.from(targets.flatMap((target, row) => [target, second[row]!]));

  it("agrees with a direct solution, for every output, with row weights and a free intercept", () => {
    const model = fitRidge(matrix, both, 2, { penalty: 0.7, rowWeights, tolerance: 1e-12 });
    const single = Array.from(dense, (row) => row.map((value) => Math.fround(value)));
    [targets, second].forEach((column, output) => {
      const direct = denseRidge(single, column, [...rowWeights], 0.7);
      direct.solution.forEach((weight, index) => {
        expect(model.weights[index * 2 + output]).toBeCloseTo(weight, 9);
      });
      expect(model.intercepts[output]).toBeCloseTo(direct.intercept, 9);
    });
  });

  it("penalises a scaled column less, and leaves out one at scale zero", () => {
    const columnScales = Float64Array.from([2, 1, 1, 0, 1, 1]);
    const model = fitRidge(matrix, both, 2, { penalty: 0.7, columnScales, tolerance: 1e-12 });
    const scaled = dense.map((row) =>
      row.map((value, column) => Math.fround(Math.fround(value) * columnScales[column]!)),
    );
    const direct = denseRidge(scaled, targets, [...rowWeights].fill(1), 0.7);
    direct.solution.forEach((weight, column) => {
      expect(model.weights[column * 2]).toBeCloseTo(weight * columnScales[column]!, 9);
    });
    expect(model.weights[3 * 2]).toBe(0);
    expect(predictRidge(model, matrix)[0]).toBeCloseTo(
      direct.intercept + direct.solution.reduce((sum, weight, column) => sum + weight * scaled[0]![column]!, 0),
      6,
    );
  });

  it("weighs what lies between groups as if the groups' means were rows of their own", () => {
    const groupOf = dense.map((_, row) => row % 4);
    const betweenWeight = 0.3;
    const model = fitRidge(matrix, Float64Array.from(targets), 1, {
      penalty: 0.7,
      groups: { of: Uint32Array.from(groupOf), betweenWeight },
      tolerance: 1e-12,
    });
    const rows = dense.map((row) => row.map(Math.fround));
    const columnMeans = rows[0]!.map((_, column) => rows.reduce((sum, row) => sum + row[column]!, 0) / rows.length);
    const targetMean = targets.reduce((sum, target) => sum + target, 0) / targets.length;
    const centred = rows.map((row, i) => [
      ...row.map((value, column) => value - columnMeans[column]!),
      targets[i]! - targetMean,
    ]);
    const groupMeans = [0, 1, 2, 3].map((group) => {
      const own = centred.filter((_, row) => groupOf[row] === group);
      return own[0]!.map((_, column) => own.reduce((sum, row) => sum + row[column]!, 0) / own.length);
    });
    const within = centred.map((row, i) => row.map((value, column) => value - groupMeans[groupOf[i]!]![column]!));
    const all = [...within, ...groupMeans];
    const weights = [...within.map(() => 1), ...groupMeans.map(() => betweenWeight * 10)];
    const direct = denseRidge(
      all.map((row) => row.slice(0, -1)),
      all.map((row) => row.at(-1)!),
      weights,
      0.7,
    );
    direct.solution.forEach((weight, column) => {
      expect(model.weights[column]).toBeCloseTo(weight, 9);
    });
  });

  it("predicts the mean when the penalty is overwhelming", () => {
    const model = fitRidge(matrix, both, 2, { penalty: 1e12 });
    const weightless = both.filter((_, i) => i % 2 === 0).reduce((sum, value) => sum + value, 0) / targets.length;
    expect(predictRidge(model, matrix)[0]).toBeCloseTo(weightless, 6);
  });

  it("is the same on a selection of rows as on a matrix built from them", () => {
    const picked = selectRows(matrix, [5, 1, 9]);
    expect(predictRidge(fitRidge(matrix, both, 2, { penalty: 1 }), picked)).toHaveLength(6);
    expect(picked.offsets[1]).toBe(dense[5]!.filter((value) => value !== 0).length);
  });

  it("refuses a penalty that would leave the problem without a single answer", () => {
    expect(() => fitRidge(matrix, both, 2, { penalty: 0 })).toThrow(RangeError);
  });
});
