import { describe, expect, it } from "vitest";
import { type GroupedSpread, intervalFrom, RESIDUAL_SHARES, residualsFor, starChances } from "./spread.ts";

/** Residuals spread evenly over one star to either side. */
const EVEN = RESIDUAL_SHARES.map((share) => 2 * share - 1);

describe("how ratings lie around a prediction", () => {
  it("gives chances of one to five stars that add up, the nearest the likeliest", () => {
    const chances = starChances(3.9, EVEN);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
    expect(chances.indexOf(Math.max(...chances))).toBe(3);
    expect(chances.every((chance) => chance >= 0)).toBe(true);
    // From 3.5 to 4.5, of a range from 2.9 to 4.9.
    expect(chances[3]).toBeCloseTo(0.5, 2);
  });

  it("leaves out as much on both sides", () => {
    const [low, high] = intervalFrom(3, EVEN);
    expect(3 - low).toBeCloseTo(high - 3, 9);
    expect(high - low).toBeCloseTo(2 * 0.82, 9);
  });

  it("takes the group of the prediction and of the reader, and the longest history for longer ones", () => {
    const named = (name: number) => RESIDUAL_SHARES.map(() => name);
    const group = (from: number): GroupedSpread => ({
      fifths: [2, 3, 4, 4.5],
      levels: [-0.5, 0.5],
      residuals: Array.from({ length: 5 }, (_, fifth) => [0, 1, 2].map((kind) => named(from + 10 * fifth + kind))),
    });
    const spread = [group(0), group(100)];
    const strict = [{ rating: 2, expected: 4 }];
    expect(residualsFor(spread, 3.5, [])[0]).toBe(21);
    expect(residualsFor(spread, 3.5, strict)[0]).toBe(120);
    expect(residualsFor(spread, 5, [...strict, { rating: 5, expected: 2 }])[0]).toBe(141);
  });
});
