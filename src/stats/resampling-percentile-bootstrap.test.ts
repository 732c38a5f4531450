import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { kendallTau } from "./correlation.ts";
import { mean, standardDeviation } from "./distribution.ts";
import { drawPositions, percentileBootstrap } from "./resampling.ts";
import { defined, notDefined } from "./statistic.ts";

describe("the percentile bootstrap", () => {
  const random = seededRandom(5);
  const sample = Array.from({ length: 200 }, () => random() + random() + random());
  const meanOf = (positions: Uint32Array) => defined(mean(Array.from(positions, (position) => sample[position]!)));

  it("comes near the textbook interval of a mean, and repeats with its seed", () => {
    const run = () =>
      percentileBootstrap({ draw: drawPositions(200), statistic: meanOf, random: seededRandom(1), resamples: 1500 });
    const { interval } = run();
    const half = (1.96 * standardDeviation(sample)) / Math.sqrt(200);
    expect(interval![0]).toBeCloseTo(mean(sample) - half, 1);
    expect(interval![1]).toBeCloseTo(mean(sample) + half, 1);
    expect(run()).toEqual(run());
  });

  it("counts the resamples on which the statistic is undefined, and gives up when they are the most", () => {
    const x = [1, 1, 1, 1, 2];
    const y = [1, 2, 3, 4, 5];
    const pick = (values: number[], positions: Uint32Array) => Array.from(positions, (position) => values[position]!);
    const sometimes = percentileBootstrap({
      draw: drawPositions(5),
      statistic: (positions) => kendallTau(pick(x, positions), pick(y, positions)),
      random: seededRandom(2),
    });
    expect(sometimes.skipped).toBeGreaterThan(200);
    expect(sometimes.interval).not.toBeNull();
    const never = percentileBootstrap({
      draw: drawPositions(5),
      statistic: () => notDefined("no"),
      random: seededRandom(2),
      resamples: 10,
    });
    expect(never).toEqual({ interval: null, reason: "undefined on most resamples", resamples: 10, skipped: 10 });
  });
});
