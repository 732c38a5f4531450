import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { kendallTau, pearson } from "../correlation.ts";
import { holmCorrection } from "./multiple-comparison.ts";
import { correlationPermutationTest, pairedPermutationTest, signTest, williamsTest } from "./significance-tests.ts";

describe("Holm's correction", () => {
  it("is R's p.adjust", () => {
    [0.04, 0.09, 0.09, 0.025, 0.5].forEach((expected, i) => {
      expect(holmCorrection([0.01, 0.04, 0.03, 0.005, 0.5])[i]).toBeCloseTo(expected, 14);
    });
  });

  it("never lowers a p-value nor passes 1", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
        holmCorrection(pValues).forEach((adjusted, i) => {
          expect(adjusted).toBeGreaterThanOrEqual(pValues[i]!);
          expect(adjusted).toBeLessThanOrEqual(1);
        });
      }),
    );
  });
});

describe("the sign test", () => {
  it.each([
    [6, 0, 0.03125],
    [5, 1, 0.21875],
    [4, 2, 0.6875],
    [3, 3, 1],
    [0, 0, 1],
    [1, 8, 0.0390625],
    [60, 40, 0.056887933640980784],
  ])("of %i against %i is scipy's binomtest", (wins, losses, p) => {
    expect(signTest(wins, losses)).toBeCloseTo(p, 12);
  });
});

describe("Williams' test", () => {
  it("is R's psych::r.test", () => {
    const steiger = williamsTest({ first: 0.4, second: 0.5, between: 0.1, n: 103 });
    expect(steiger).toMatchObject({ degreesOfFreedom: 100 });
    expect("t" in steiger && steiger.t).toBeCloseTo(-0.8912799047605414, 12);
    expect("p" in steiger && steiger.p).toBeCloseTo(0.3749185174912557, 12);
    const other = williamsTest({ first: 0.62, second: 0.48, between: 0.71, n: 150 });
    expect("t" in other && other.t).toBeCloseTo(2.831172613295833, 12);
    expect("p" in other && other.p).toBeCloseTo(0.005287888176708887, 12);
  });

  it("is undefined for too few items or one metric twice", () => {
    expect(williamsTest({ first: 0.4, second: 0.5, between: 0.1, n: 3 })).toHaveProperty("value", null);
    expect(williamsTest({ first: 0.4, second: 0.4, between: 1, n: 30 })).toHaveProperty("value", null);
  });
});

describe("the paired permutation test", () => {
  const a = [0.6, 0.7, 0.55, 0.8, 0.62, 0.71, 0.9];
  const b = [0.5, 0.72, 0.4, 0.7, 0.6, 0.6, 0.85];

  it("is scipy's exact one for few pairs", () => {
    const test = pairedPermutationTest(a, b, { random: seededRandom(1) });
    expect(test).toMatchObject({ p: 0.046875, permutations: 128, exact: true });
    expect(test.difference).toBeCloseTo(0.07285714285714287, 14);
  });

  it("comes near the exact p for many pairs, repeats with its seed, and never gives 0", () => {
    const random = seededRandom(4);
    const left = Array.from({ length: 60 }, random);
    const right = left.map((value) => value - 1);
    expect(pairedPermutationTest(left, right, { random, permutations: 99 }).p).toBe(0.01);
    const twice = () =>
      pairedPermutationTest(
        left,
        right.map((v) => v + 1.02),
        { random: seededRandom(1) },
      ).p;
    expect(twice()).toBe(twice());
  });
});

describe("the permutation test of two correlations", () => {
  const random = seededRandom(9);
  const human = Array.from({ length: 80 }, random);
  const good = human.map((value) => value + 0.2 * random());
  const poor = human.map((value) => value + 3 * random());

  it("tells a good metric from a poor one, and not a metric from its own noise", () => {
    for (const [correlation, scale] of [
      [pearson, "standard-scores"],
      [kendallTau, "ranks"],
    ] as const) {
      const clear = correlationPermutationTest(human, good, poor, correlation, { random, scale, permutations: 300 });
      expect("p" in clear && clear.p).toBeLessThan(0.01);
      const twin = human.map((value) => value + 0.2 * random());
      const same = correlationPermutationTest(human, good, twin, correlation, { random, scale, permutations: 300 });
      expect("p" in same && same.p).toBeGreaterThan(0.05);
    }
  });

  it("is undefined where a correlation is", () => {
    const flat = human.map(() => 1);
    expect(correlationPermutationTest(human, good, flat, pearson, { random, scale: "standard-scores" })).toEqual({
      value: null,
      reason: "the second column is constant",
    });
  });
});
