import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { jointSignFlipTest, letterGroups } from "./multiple-comparison.ts";
import { cautiousWelchTest, pairedPermutationTest, pairedSampleSize, welchTest } from "./significance-tests.ts";

const units = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe("many paired comparisons at once", () => {
  const random = seededRandom(3);
  const noise = () => units.map(() => random() - 0.5);

  it("are, one alone, the exact permutation test of the pair", () => {
    const differences = noise().map((value) => value + 0.2);
    const zeros = units.map(() => 0);
    const { tests, exact } = jointSignFlipTest([{ units, differences }], 10, { random: seededRandom(1) });
    expect(exact).toBe(true);
    expect(tests[0]!.p).toBe(pairedPermutationTest(differences, zeros, { random: seededRandom(1) }).p);
    expect(tests[0]!.adjusted).toBe(tests[0]!.p);
  });

  it("are corrected upwards, by less than Holm's bound, and keep their order", () => {
    const comparisons = Array.from({ length: 12 }, (_, index) => ({
      units,
      differences: noise().map((value) => value + index / 12),
    }));
    const { tests } = jointSignFlipTest(comparisons, 10, { random: seededRandom(1) });
    for (const { p, adjusted } of tests) expect(adjusted).toBeGreaterThanOrEqual(p);
    const smallest = Math.min(...tests.map(({ p }) => p));
    expect(Math.min(...tests.map(({ adjusted }) => adjusted))).toBeLessThan(12 * smallest);
  });

  it("have a p of at least one in all exchanges, however nearly equal the differences are", () => {
    for (const spread of Array.from({ length: 80 }, (_, at) => 10 ** -(3 + (at % 4)))) {
      const differences = units.map(() => 1.7 + spread * (random() - 0.5));
      const { tests } = jointSignFlipTest([{ units: units.toReversed(), differences }], 10, { random });
      expect(tests[0]).toEqual({ p: 1 / 512, adjusted: 1 / 512 });
    }
  });

  it("find a difference that all ten novels show, among hundreds of pairs", () => {
    const clear = { units, differences: units.map((unit) => 5 + unit / 10) };
    const rest = Array.from({ length: 300 }, () => ({ units, differences: noise() }));
    const { tests } = jointSignFlipTest([clear, ...rest], 10, { random: seededRandom(1) });
    expect(tests[0]!.adjusted).toBeLessThan(0.01);
  });
});

describe("letters", () => {
  it("are shared exactly by those that do not differ", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }),
        fc.array(fc.boolean(), { minLength: 45, maxLength: 45 }),
        (n, bits) => {
          const differ = (left: number, right: number) =>
            bits[(Math.max(left, right) * (Math.max(left, right) - 1)) / 2 + Math.min(left, right)]!;
          const letters = letterGroups(n, differ);
          for (let left = 0; left < n; left++) {
            for (let right = left + 1; right < n; right++) {
              const shared = [...letters[left]!].some((letter) => letters[right]!.includes(letter));
              expect(shared).toBe(!differ(left, right));
            }
          }
        },
      ),
    );
  });
});

describe("Welch's test", () => {
  it("takes no two values that lie close together for knowledge, where it is cautious", () => {
    const many = Array.from({ length: 30 }, (_, index) => Math.sin(index));
    const test = cautiousWelchTest([1, 1.001], many);
    expect(test).toMatchObject({ degreesOfFreedom: 1 });
    expect("p" in test && test.p).toBeGreaterThan(0.05);
    expect(cautiousWelchTest([1], many)).toHaveProperty("value", null);
  });

  it.each([
    [[30.02, 29.99, 30.11, 29.97, 30.01, 29.99], [29.89, 29.93, 29.72, 29.98, 30.02, 29.98], 0.090773324285671],
    [[3.0, 4.0, 1.0, 2.1], [490.2, 340.0, 433.9], 0.010751561149784],
  ])("is R's t.test", (left, right, p) => {
    const test = welchTest(left, right);
    expect("p" in test && test.p).toBeCloseTo(p, 10);
  });

  it("is undefined for a single value", () => {
    expect(welchTest([1], [2, 3])).toHaveProperty("value", null);
  });
});

describe("the size of a paired sample", () => {
  it("is R's power.t.test", () => {
    expect(pairedSampleSize({ difference: 0.5, deviation: 1 })).toBe(34);
    expect(pairedSampleSize({ difference: 1, deviation: 1 })).toBe(10);
  });
});
