import { describe, expect, it } from "vitest";
import {
  besideLimit,
  differenceOfMeans,
  differenceOfShares,
  grainOf,
  judgeNoise,
  meanOfRuns,
  pairedDifference,
  rangeOfMean,
  runsToTell,
} from "./error-model.ts";

const alone = (scores: readonly number[]) => judgeNoise([{ text: "one", measure: "overall", scores }]);

describe("the error model", () => {
  it("is Student's interval for one aspect of one text", () => {
    const scores = [60.3, 64.1, 68.2];
    const [low, high] = rangeOfMean(meanOfRuns(scores, alone(scores)))!;
    // R: t.test(c(60.3, 64.1, 68.2))$conf.int
    expect([low, high]).toEqual([expect.closeTo(54.3853, 3), expect.closeTo(74.0147, 3)]);
  });

  it("gives five equal whole numbers the width that rounding hides, and not none", () => {
    const scores = [70, 70, 70, 70, 70];
    const [low, high] = rangeOfMean(meanOfRuns(scores, alone(scores)))!;
    // Uniform between 69.5 and 70.5 has a standard deviation of √(1/12); Student's factor for 4 degrees is 2.776445.
    expect(high - low).toBeCloseTo(2 * 2.776445 * Math.sqrt(1 / 12), 5);
    expect(grainOf([70, 75, 80, 65, 90, 75])).toBe(5);
    expect(grainOf([70.25, 71])).toBe(0.25);
  });

  it("pools over aspects: a third run of eight aspects says more of the noise than three runs of one", () => {
    const repeated = Array.from({ length: 8 }, (_, at) => ({
      text: "one",
      measure: `aspect ${at}`,
      scores: [50 + at, 54 - (at % 3), 47 + ((at * 5) % 4)],
    }));
    const noise = judgeNoise(repeated);
    expect(noise.degrees).toBeGreaterThan(2);
    expect(meanOfRuns(repeated[0]!.scores, noise).degrees).toBeGreaterThan(2);
    // One run is enough if other texts have shown how noisy the judge is.
    expect(rangeOfMean(meanOfRuns([62], noise))).not.toBeNull();
  });

  it("tells a fall of twenty points from one of a point, and says what it would take", () => {
    const before = [70, 73, 67];
    const compared = (after: readonly number[]) => {
      const noise = judgeNoise([
        { text: "before", measure: "overall", scores: before },
        { text: "after", measure: "overall", scores: after },
      ]);
      return differenceOfMeans(meanOfRuns(before, noise), meanOfRuns(after, noise));
    };
    expect(compared([69, 72, 66])).toMatchObject({ outcome: "cannot be told", difference: -1 });
    expect(compared([69, 72, 66]).runsNeeded).toBe(runsToTell(1, 9));
    expect(compared([50, 53, 47]).outcome).toBe("worse");
    expect(compared([90, 93, 87]).outcome).toBe("better");
    const once = judgeNoise([{ text: "before", measure: "overall", scores: [70] }]);
    expect(differenceOfMeans(meanOfRuns([70], once), meanOfRuns([20], once))).toMatchObject({
      outcome: "cannot be told",
      interval: null,
    });
    // power.t.test(delta = 5, sd = 5, power = 0.8) in R asks for 16.7 of each; the normal approximation in the
    // formula gives one less.
    expect([16, 17]).toContain(runsToTell(5, 25));
    expect(runsToTell(0.01, 25)).toBeNull();
  });

  it("pairs by chapter as scipy.stats.ttest_1samp does, and takes what is within the floor for nothing", () => {
    const pairs = [-1, -2, -3, -2].map((change) => ({ before: 60, after: 60 + change, weight: 1 }));
    const found = pairedDifference(pairs, 0.5);
    expect(found).toMatchObject({ outcome: "worse", difference: -2 });
    expect(found.p).toBeCloseTo(0.0162766, 6);
    expect(pairedDifference(pairs, 2.76).outcome).toBe("cannot be told");
    expect(pairedDifference(pairs.slice(0, 2), 0).interval).toBeNull();
  });

  it("holds scores against limits by their ranges, and shares against each other", () => {
    expect(besideLimit([4.6, 10], 7.5)).toBe("cannot be told");
    expect(besideLimit([4.6, 7.2], 7.5)).toBe("below");
    expect(besideLimit([8, 9], 7.5)).toBe("above");
    expect(besideLimit(undefined, 7.5)).toBe("cannot be told");
    expect(differenceOfShares({ count: 27, of: 587 }, { count: 267, of: 643 }).outcome).toBe("better");
    expect(differenceOfShares({ count: 27, of: 587 }, { count: 29, of: 587 }).outcome).toBe("cannot be told");
  });
});
