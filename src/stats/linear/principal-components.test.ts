import { describe, expect, it } from "vitest";
import { principalComponents, projectOnComponents } from "./principal-components.ts";

const rows = [
  [2.5, 2.4, 1.1],
  [0.5, 0.7, 0.3],
  [2.2, 2.9, 0.9],
  [1.9, 2.2, 1.4],
  [3.1, 3.0, 2.0],
  [2.3, 2.7, 0.4],
];

describe("principal components", () => {
  it("are numpy's eigenvectors of the covariance and the correlation matrix", () => {
    const plain = principalComponents(rows);
    const standard = principalComponents(rows, { standardise: true });
    const numpy = [
      [1.6272149862026375, 0.22706030204631927, 0.030724711751043094],
      [2.4721328839659003, 0.48518588404301594, 0.04268123199108275],
    ];
    numpy[0]!.forEach((value, i) => {
      expect(plain.variances[i]).toBeCloseTo(value, 13);
    });
    numpy[1]!.forEach((value, i) => {
      expect(standard.variances[i]).toBeCloseTo(value, 13);
    });
    const first = [0.6763169462718597, 0.6362692002903869, 0.37115615709204886];
    const last = [0.7341868742767397, -0.6231087835264871, -0.26963879085156206];
    first.forEach((value, i) => {
      expect(plain.loadings[0]![i]).toBeCloseTo(value, 12);
    });
    last.forEach((value, i) => {
      expect(plain.loadings[2]![i]).toBeCloseTo(value, 12);
    });
    expect(standard.explained.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 14);
  });

  it("give uncorrelated coordinates whose variances are the components'", () => {
    const model = principalComponents(rows);
    const coordinates = rows.map((row) => projectOnComponents(model, row));
    const covariance = (a: number, b: number) =>
      coordinates.reduce((sum, row) => sum + row[a]! * row[b]!, 0) / (rows.length - 1);
    expect(covariance(0, 1)).toBeCloseTo(0, 12);
    expect(covariance(1, 1)).toBeCloseTo(model.variances[1]!, 12);
  });

  it("take a constant column as it is: it loads on nothing", () => {
    const model = principalComponents(
      rows.map((row) => [...row, 7]),
      { standardise: true },
    );
    expect(model.loadings[0]![3]).toBeCloseTo(0, 12);
  });
});
