import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { applyIsotonic, conformalHalfWidth, fitIsotonic } from "./calibration.ts";

describe("isotonic calibration", () => {
  it("is scikit-learn's, ties and ends included", () => {
    const model = fitIsotonic([1, 2, 3, 4, 5, 6, 7, 8, 3, 5], [1, 3, 2, 4, 3.5, 5, 4.2, 6, 2.5, 3]);
    const at = [0, 1, 2, 2.5, 3, 4, 4.5, 5, 6, 7, 7.5, 8, 9];
    const expected = [1, 1, 2.5, 2.5, 2.5, 3.5, 3.5, 3.5, 4.6, 4.6, 5.3, 6, 6];
    at.forEach((score, i) => {
      expect(applyIsotonic(model, score)).toBeCloseTo(expected[i]!, 12);
    });
  });

  it("never falls, and keeps the mean", () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.double({ min: -5, max: 5, noNaN: true })), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(pairs, (points) => {
        const model = fitIsotonic(
          points.map(([score]) => score),
          points.map(([, target]) => target),
        );
        for (let i = 1; i < model.values.length; i++) {
          expect(model.values[i]!).toBeGreaterThanOrEqual(model.values[i - 1]!);
        }
        const fitted = points.reduce((sum, [score]) => sum + applyIsotonic(model, score), 0);
        expect(fitted).toBeCloseTo(
          points.reduce((sum, [, target]) => sum + target, 0),
          8,
        );
      }),
    );
  });
});

describe("split-conformal intervals", () => {
  it("cover new cases as often as they promise", () => {
    const random = seededRandom(11);
    const skewed = () => random() ** 4 - random();
    const rounds = 400;
    let covered = 0;
    for (let round = 0; round < rounds; round++) {
      const { value } = conformalHalfWidth(Array.from({ length: 39 }, skewed), 0.9);
      if (Math.abs(skewed()) <= value!) covered++;
    }
    expect(covered / rounds).toBeGreaterThan(0.87);
    expect(covered / rounds).toBeLessThan(0.94);
  });

  it("promise nothing from too few cases", () => {
    expect(conformalHalfWidth([1, 2, 3], 0.9)).toEqual({
      value: null,
      reason: "a 90% interval needs at least 9 held-out cases; there are 3",
    });
    expect(
      conformalHalfWidth(
        Array.from({ length: 9 }, (_, i) => i),
        0.9,
      ).value,
    ).toBe(8);
    expect(
      conformalHalfWidth(
        Array.from({ length: 19 }, (_, i) => -i),
        0.95,
      ).value,
    ).toBe(18);
  });
});
