import { describe, expect, it } from "vitest";
import { density } from "./distribution-plot.tsx";

describe("the curve over a population", () => {
  it("holds the whole population under it", () => {
    const values = Array.from({ length: 200 }, (_, index) => 10 + 3 * Math.sin(index * 1.7) + (index % 7) / 10);
    const curve = density(values, [0, 20], 400);
    const area = curve.reduce((sum, point) => sum + point.y * (20 / 400), 0);
    expect(area).toBeCloseTo(1, 2);
  });

  it("is highest where most values are", () => {
    const curve = density([1, 4.8, 5, 5, 5.1, 5.2, 9], [0, 10]);
    const top = curve.reduce((best, point) => (point.y > best.y ? point : best));
    expect(top.x).toBeCloseTo(5, 0);
  });

  it("draws nothing of one value, or of equal ones", () => {
    expect(density([3], [0, 5])).toEqual([]);
    expect(density([3, 3, 3], [0, 5])).toEqual([]);
  });
});
