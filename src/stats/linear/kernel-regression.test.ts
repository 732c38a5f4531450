import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { dualWeights, leaveOneOut } from "./kernel-regression.ts";
import { invertPositiveDefinite } from "./positive-definite.ts";

const SIZE = 160;

/** Rows of independent standard normal numbers, by Box and Muller. */
function normals(count: number, random: () => number): Float64Array {
  return Float64Array.from({ length: count }, () => {
    return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  });
}

/** The similarities of rows of features, to a mean square of one. */
function kernelOf(features: Float64Array, columns: number): Float64Array {
  const kernel = new Float64Array(SIZE * SIZE);
  for (let row = 0; row < SIZE; row++) {
    for (let other = 0; other < SIZE; other++) {
      for (let column = 0; column < columns; column++) {
        kernel[row * SIZE + other]! +=
          (features[row * columns + column]! * features[other * columns + column]!) / columns;
      }
    }
  }
  return kernel;
}

describe("the inverse of a positive definite matrix", () => {
  it("times the matrix is the identity", () => {
    const random = seededRandom(2);
    const matrix = kernelOf(normals(SIZE * 30, random), 30);
    for (let row = 0; row < SIZE; row++) matrix[row * SIZE + row]! += 0.5;
    const inverse = invertPositiveDefinite(matrix, SIZE)!;
    for (const [row, column] of [
      [0, 0],
      [3, 90],
      [159, 159],
      [42, 41],
    ] as const) {
      let product = 0;
      for (let k = 0; k < SIZE; k++) product += matrix[row * SIZE + k]! * inverse[k * SIZE + column]!;
      expect(product).toBeCloseTo(row === column ? 1 : 0, 9);
    }
  });

  it("does not exist for a matrix that is not positive definite", () => {
    expect(invertPositiveDefinite(Float64Array.of(1, 2, 2, 1), 2)).toBeNull();
  });
});

describe("regression on kernels", () => {
  const random = seededRandom(4);
  const columns = 40;
  const telling = normals(SIZE * columns, random);
  const idle = normals(SIZE * columns, random);
  const weights = normals(columns, random);
  const noise = normals(SIZE, random);
  // Variance 1 from the informative features, none from the others, 0.25 of noise.
  const targets = Float64Array.from({ length: SIZE }, (_, row) => {
    let sum = 3 + 0.5 * noise[row]!;
    for (let column = 0; column < columns; column++) {
      sum += (telling[row * columns + column]! * weights[column]!) / Math.sqrt(columns);
    }
    return sum;
  });
  const kernels = [kernelOf(telling, columns), kernelOf(idle, columns)];
  const estimate = { components: [1, 0.01], noise: 0.25 };

  it("fits the training rows better than the mean does", () => {
    const { dual, mean } = dualWeights(kernels, targets, estimate);
    let left = 0;
    let total = 0;
    targets.forEach((target, row) => {
      let fitted = mean;
      kernels.forEach((kernel, index) => {
        for (let other = 0; other < SIZE; other++) {
          fitted += estimate.components[index]! * kernel[row * SIZE + other]! * dual[other]!;
        }
      });
      left += (target - fitted) ** 2;
      total += (target - mean) ** 2;
    });
    expect(left / total).toBeLessThan(0.2);
  });

  it("leaves a row that is known to be uncertain out of account", () => {
    const spoilt = targets.slice();
    spoilt[0] = 50;
    const uncertain = new Float64Array(SIZE);
    uncertain[0] = 1e6;
    const { mean } = dualWeights(kernels, spoilt, estimate, uncertain);
    expect(mean).toBeCloseTo(dualWeights(kernels, targets, estimate).mean, 1);
  });

  it("says what the other rows predict for each row, as if it had been left out", () => {
    const uncertainty = Float64Array.from({ length: SIZE }, (_, row) => (row % 7) / 10);
    const said = leaveOneOut(kernels, targets, estimate, uncertainty);
    for (const left of [0, 17, SIZE - 1]) {
      const others = [...targets.keys()].filter((row) => row !== left);
      const { dual, mean } = dualWeights(
        kernels.map((kernel) => Float64Array.from(others.flatMap((i) => others.map((j) => kernel[i * SIZE + j]!)))),
        Float64Array.from(others, (row) => targets[row]!),
        estimate,
        Float64Array.from(others, (row) => uncertainty[row]!),
      );
      const predicted = others.reduce(
        (sum, row, place) =>
          sum +
          kernels.reduce((share, kernel, k) => share + estimate.components[k]! * kernel[left * SIZE + row]!, 0) *
            dual[place]!,
        mean,
      );
      expect(said[left]).toBeCloseTo(predicted, 8);
    }
  });
});
