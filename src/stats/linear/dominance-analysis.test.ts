import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { correlationsOf, explainedShare, generalDominance, standardisedCoefficients } from "./dominance-analysis.ts";

const random = seededRandom(1);

describe("general dominance", () => {
  it("gives two predictors the halves of their joint part, and adds up to R²", () => {
    // r12 = 0.5, r1y = 0.6, r2y = 0.4: R² = (0.36 + 0.16 − 2·0.5·0.6·0.4) / (1 − 0.25) = 0.28 / 0.75.
    const correlations = {
      size: 2,
      among: Float64Array.from([1, 0.5, 0.5, 1]),
      withOutcome: Float64Array.from([0.6, 0.4]),
    };
    const whole = 0.28 / 0.75;
    expect(explainedShare(correlations, [0, 1])).toBeCloseTo(whole, 12);
    const [first, second] = generalDominance(correlations, random);
    expect(first).toBeCloseTo((0.36 + (whole - 0.16)) / 2, 12);
    expect(second).toBeCloseTo((0.16 + (whole - 0.36)) / 2, 12);
    // β = R⁻¹ r: (0.6 − 0.5·0.4, 0.4 − 0.5·0.6) / 0.75.
    const coefficients = standardisedCoefficients(correlations)!;
    expect([...coefficients]).toEqual([expect.closeTo(0.4 / 0.75, 12), expect.closeTo(0.1 / 0.75, 12)]);
  });

  it("gives independent predictors their own R², also where only orders are sampled", () => {
    const size = 12;
    const among = new Float64Array(size * size);
    for (let at = 0; at < size; at++) among[at * size + at] = 1;
    const withOutcome = Float64Array.from({ length: size }, (_, at) => 0.05 * (at % 5));
    const parts = generalDominance({ size, among, withOutcome }, random);
    for (const [at, part] of parts.entries()) expect(part).toBeCloseTo(withOutcome[at]! ** 2, 10);
  });

  it("takes weights: a row that counts twice is two rows", () => {
    const columns = [Float64Array.from([1, 2, 3, 5])];
    const outcome = Float64Array.from([2, 1, 4, 6]);
    const twice = correlationsOf(
      [Float64Array.from([1, 2, 3, 5, 5])],
      Float64Array.from([2, 1, 4, 6, 6]),
      Float64Array.of(1, 1, 1, 1, 1),
    );
    const weighted = correlationsOf(columns, outcome, Float64Array.of(1, 1, 1, 2));
    expect(weighted.withOutcome[0]).toBeCloseTo(twice.withOutcome[0]!, 12);
  });
});
