import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom, shuffled } from "./random.ts";

describe("seeded randomness", () => {
  it("repeats for the same seed and differs for another", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it("stays in [0, 1) with a mean near one half", () => {
    const random = seededRandom(1);
    const draws = Array.from({ length: 20_000 }, random);
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    expect(draws.reduce((sum, value) => sum + value, 0) / draws.length).toBeCloseTo(0.5, 2);
  });

  it("shuffles without losing or inventing an item", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const ascending = (list: readonly number[]) => [...list].sort((left, right) => left - right);
        expect(ascending(shuffled(items, seededRandom(seed)))).toEqual(ascending(items));
      }),
    );
  });
});
