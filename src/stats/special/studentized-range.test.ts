import { expect, it } from "vitest";
import { studentizedRangeAbove } from "./studentized-range.ts";

/** From `scipy.stats.studentized_range.sf`. */
const REFERENCE = [
  [2.5, 3, 10, 0.22920266324957694],
  [3.877, 3, 10, 0.049987088753253084],
  [6, 10, 18, 0.013388103143204488],
  [6, 2, 2, 0.05131670194948623],
  [60, 3, 1, 0.022502178926192662],
  [4, 2, 1.3, 0.16757223818553435],
  [3.877, 45, 60, 0.766381590365125],
  [3.5, 5, 1e9, 0.09633846396542678],
] as const;

it("the studentised range equals scipy's, for few and for fractional degrees of freedom too", () => {
  for (const [range, means, degrees, expected] of REFERENCE)
    expect(studentizedRangeAbove(range, means, degrees)).toBeCloseTo(expected, 7);
});
