import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { mean } from "./distribution.ts";
import { drawTwoWays, percentileBootstrap } from "./resampling.ts";

describe("drawing both sides of a crossed table", () => {
  it("gives a mean as wide an interval as both sides together deserve", () => {
    const random = seededRandom(3);
    const effect = () => Array.from({ length: 30 }, () => random() - 0.5);
    const [readers, books] = [effect(), effect()];
    const cases = readers.flatMap((reader, row) =>
      books.map((book, column) => ({ row, column, value: reader + book })),
    );
    const width = (rows: number[], columns: number[]) => {
      const { interval } = percentileBootstrap({
        draw: drawTwoWays(rows, columns),
        statistic: (positions) => ({
          value: positions.length > 0 ? mean(Array.from(positions, (at) => cases[at]!.value)) : 0,
        }),
        random: seededRandom(1),
        resamples: 800,
      });
      return interval![1] - interval![0];
    };
    const byBoth = width(
      cases.map(({ row }) => row),
      cases.map(({ column }) => column),
    );
    // The standard error of a mean of 30 uniform effects is 0.0527; of the sum of two such means, √2 times that.
    expect(byBoth).toBeGreaterThan(0.75 * 2 * 1.96 * 0.0527 * Math.SQRT2);
    expect(byBoth).toBeLessThan(1.25 * 2 * 1.96 * 0.0527 * Math.SQRT2);
  });

  it("draws the same for the same seed, and each case as often as its row times its column", () => {
    const draw = drawTwoWays(["a", "a", "b"], [1, 2, 2]);
    expect(draw(seededRandom(5))).toEqual(draw(seededRandom(5)));
    expect(() => drawTwoWays([1], [])).toThrow(/row and a column/);
  });
});
