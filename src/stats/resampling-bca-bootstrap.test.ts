import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { variance } from "./distribution.ts";
import { bcaBootstrap, bcaShares, drawPositions } from "./resampling.ts";
import { defined, type Statistic } from "./statistic.ts";

const sample = [3.1, 2.4, 4.0, 3.3, 2.9, 4.4, 1.7, 3.3, 2.2, 3.8];

describe("the BCa bootstrap", () => {
  it("moves the ends as scipy does, on the same replicates and jackknife values", () => {
    const replicates = Float64Array.of(0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 0.9);
    const shares = bcaShares(replicates, 0.32, [0.2, 0.3, 0.33, 0.35, 0.31, 0.5], 0.9)!;
    expect(shares[0]).toBeCloseTo(0.010573100374262708, 12);
    expect(shares[1]).toBeCloseTo(0.8567157339208853, 12);
  });

  it("comes near scipy's interval of a variance", () => {
    const populationVariance = (positions: ArrayLike<number>): Statistic =>
      defined(0.9 * variance(Array.from(positions, (position) => sample[position]!)));
    const all = sample.map((_, i) => i);
    const { interval } = bcaBootstrap({
      draw: drawPositions(10),
      statistic: populationVariance,
      observed: all,
      leaveOneOut: all.map((left) => all.filter((i) => i !== left)),
      random: seededRandom(1),
      resamples: 20_000,
    });
    // scipy.stats.bootstrap(method="BCa", n_resamples=200000) on numpy.var: 0.3336, 1.2430; a leave-one-out sample of
    // nine is scaled by 0.9 here instead of 8/9, which the acceleration does not see.
    expect(interval![0]).toBeCloseTo(0.3336, 1);
    expect(interval![1]).toBeCloseTo(1.243, 1);
  });

  it("says so when every resample lies on one side", () => {
    const result = bcaBootstrap({
      draw: () => [1],
      statistic: (list) => defined(list[0]!),
      observed: [2],
      leaveOneOut: [],
      random: seededRandom(1),
      resamples: 10,
    });
    expect(result.interval).toBeNull();
  });
});
