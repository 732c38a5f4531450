import { describe, expect, it } from "vitest";
import {
  circumstances,
  type GroupedReach,
  intervalFrom,
  reachFor,
  remoteness,
  STAR_NUMBERS,
  type StarModel,
  shareBelow,
  starChances,
} from "./spread.ts";

const MODEL: StarModel = {
  thresholds: [-3, -1.5, 0, 1.5],
  location: [2, 0, 1, -1, 0.5, 0],
  width: [0, 0.5, 0, 0, 0],
};
const past = (...ratings: number[]) => ratings.map((rating) => ({ rating, expected: 4 }));
const chancesOf = (predicted: number, ...ratings: number[]) =>
  starChances(MODEL, circumstances(predicted, past(...ratings)));

describe("how ratings lie around a prediction", () => {
  it("gives chances of one to five stars that add up, higher with the prediction and for a reader who gives fives", () => {
    const chances = chancesOf(3.9);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
    expect(chances.every((chance) => chance >= 0)).toBe(true);
    expect(chancesOf(4.8)[4]).toBeGreaterThan(chances[4]!);
    expect(chancesOf(4, 5, 5, 5)[4]).toBeGreaterThan(chancesOf(4, 4, 4, 4)[4]!);
    // Of two readers of one level, the one who gives ones and fives is less sure.
    expect(chancesOf(4, 5, 5, 1, 5)[0]).toBeGreaterThan(chancesOf(4, 4, 4, 4, 4)[0]!);
  });

  it("leaves out as much on both sides, and includes a star if its middle is inside", () => {
    const chances = [0.1, 0.2, 0.4, 0.2, 0.1];
    expect(shareBelow(chances, 3)).toBeCloseTo(0.5);
    expect(shareBelow(chances, 1)).toBeCloseTo(0.05);
    const [low, high] = intervalFrom(chances, 0.6);
    expect(3 - low).toBeCloseTo(high - 3, 9);
    // Two stars are at 0.2 of the chances, where the middle 0.6 begin.
    expect(low).toBeCloseTo(2);
    for (const reach of [0.2, 0.55, 0.65, 0.8, 0.95]) {
      const [from, to] = intervalFrom(chances, reach);
      for (const stars of STAR_NUMBERS)
        expect(stars >= from && stars <= to).toBe(remoteness(chances, stars) <= reach + 1e-12);
    }
  });

  it("never leaves the scale", () => {
    expect(intervalFrom([0.9, 0.05, 0.03, 0.01, 0.01], 0.99)[0]).toBe(1);
    expect(intervalFrom([0, 0, 0, 0.1, 0.9], 0.99)[1]).toBe(5);
  });

  it("uses the group for the history's length, the prediction and the reader", () => {
    const group = (from: number): GroupedReach => ({
      from,
      fifths: [2, 3, 4, 4.5],
      levels: [-0.5, 0.5],
      reach: Array.from({ length: 5 }, (_, fifth) => [0, 1, 2].map((kind) => 100 * from + 10 * fifth + kind)),
    });
    const groups = [group(0), group(1), group(5)];
    expect(reachFor(groups, 3.5, [])).toBe(21);
    expect(reachFor(groups, 3.5, past(2))).toBe(120);
    expect(reachFor(groups, 5, past(5, 5, 4))).toBe(142);
    expect(reachFor(groups, 5, past(4, 4, 4, 4, 4, 4, 4))).toBe(541);
  });
});
