import { describe, expect, it } from "vitest";
import { HUNDRED, rescale, rescaleVerdict, scored } from "./verdict.ts";

const FIVE = { minimum: 1, maximum: 5 };

describe("the one conversion between scales", () => {
  it.each([
    [3.8, FIVE, HUNDRED, 76],
    [3, FIVE, HUNDRED, 60],
    [1, FIVE, HUNDRED, 20],
    [2.3, FIVE, HUNDRED, 46],
    [7, { minimum: 1, maximum: 10 }, HUNDRED, 70],
    [12, { minimum: 0, maximum: 20 }, HUNDRED, 60],
    [80, HUNDRED, FIVE, 4],
    [0, HUNDRED, FIVE, 1],
    [3.3, FIVE, FIVE, 3.3],
    [0, { minimum: -10, maximum: 10 }, HUNDRED, 50],
  ])("makes %d of %j on %j %d", (value, from, to, expected) => {
    expect(rescale(value, from, to)).toBe(expected);
  });

  it("moves the ends of an interval with its score", () => {
    const moved = scored(76, [60, 90]);
    expect(rescaleVerdict(scored(3.8, [3, 4.5]), FIVE, HUNDRED)).toEqual(moved);
  });
});
