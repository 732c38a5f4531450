import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  averageRanks,
  empiricalDistribution,
  extent,
  interquartileRange,
  kernelDensity,
  mean,
  median,
  quantiles,
  sortedOrder,
  sum,
  variance,
  wilsonInterval,
} from "./distribution.ts";

const sample = [3.1, 2.4, 4.0, 3.3, 2.9, 4.4, 1.7, 3.3, 2.2, 3.8];

describe("the shape of a sample", () => {
  it("has numpy's mean, variance and quantiles (type 7)", () => {
    expect(mean(sample)).toBeCloseTo(3.11, 14);
    expect(variance(sample)).toBeCloseTo(0.7076666666666667, 14);
    const shares = [0, 0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 1];
    const numpy = [1.7, 1.8125, 2.15, 2.525, 3.2, 3.675, 4.04, 4.4];
    quantiles(sample, shares).forEach((value, i) => {
      expect(value).toBeCloseTo(numpy[i]!, 14);
    });
    expect(interquartileRange(sample)).toBeCloseTo(1.15, 14);
    expect(median([4, 1])).toBe(2.5);
  });

  it("has scipy's kernel density and percentiles", () => {
    const density = kernelDensity(sample)!;
    const scipy = [0.03982168721388304, 0.3118301089906924, 0.3928494963002079, 0.05929705919105813];
    [1, 2.5, 3.3, 5].forEach((value, i) => {
      expect(density(value)).toBeCloseTo(scipy[i]!, 14);
    });
    expect(kernelDensity([2, 2, 2])).toBeNull();
    const spread = empiricalDistribution(sample);
    expect([1, 3.3, 4.4, 5].map(spread.percentile)).toEqual([0, 60, 95, 100]);
    expect(spread.atOrBelow(3.3)).toBe(0.7);
    expect(spread.below(3.3)).toBe(0.5);
  });

  it("ranks ties by their average, as rankdata", () => {
    const values = [0.31, 0.22, 0.35, 0.41, 0.31, 0.52, 0.12, 0.29, 0.31, 0.44];
    expect([...averageRanks(values)]).toEqual([5, 2, 7, 8, 5, 10, 1, 3, 5, 9]);
  });

  it("is refused, not guessed, when there is none", () => {
    for (const figure of [mean, variance, median, empiricalDistribution]) expect(() => figure([])).toThrow(RangeError);
    expect(() => mean([1, Number.NaN])).toThrow(RangeError);
    expect(() => median([1, Number.NaN])).toThrow(RangeError);
  });
});

describe("the interval of a share", () => {
  it("is R's prop.test without correction, and stays inside 0 and 1", () => {
    const [low, high] = wilsonInterval(7, 10, 0.95);
    expect(low).toBeCloseTo(0.3967781474611454, 12);
    expect(high).toBeCloseTo(0.892208732593699, 12);
    expect(wilsonInterval(0, 12, 0.95)[0]).toBeCloseTo(0, 12);
    expect(wilsonInterval(0, 12, 0.95)[1]).toBeCloseTo(0.2424940066552408, 12);
    expect(() => wilsonInterval(0, 0, 0.95)).toThrow(RangeError);
  });
});

describe("sums", () => {
  it("do not lose what a running total loses", () => {
    expect(sum([1, 1e100, 1, -1e100])).toBe(2);
    expect(sum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
  });
});

describe("the sorted order", () => {
  it("settles long runs of numbers that differ in their last bits alone", () => {
    const values = Array.from({ length: 4000 }, (_, i) => 1 + ((i * 7919) % 4001) * Number.EPSILON);
    const sorted = Array.from(sortedOrder(values), (position) => values[position]!);
    expect(sorted).toEqual([...values].sort((a, b) => a - b));
  });

  it("is stable and ascending, by comparison and by radix alike", () => {
    const values = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 3 }), fc.constantFrom(0, -0));
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 40 }), fc.constantFrom(1, 200), (block, repeats) => {
        const all = Array.from({ length: repeats }, (_, i) =>
          block.map((value) => value * (i % 7 === 0 ? 1 : i)),
        ).flat();
        if (all.some(Number.isNaN)) return;
        const order = sortedOrder(all);
        for (let place = 1; place < order.length; place++) {
          const [before, here] = [order[place - 1]!, order[place]!];
          const inOrder = all[before]! < all[here]! || (all[before] === all[here] && before < here);
          if (!inOrder) throw new Error(`${all[before]} at ${before} stands before ${all[here]} at ${here}`);
        }
      }),
    );
  });
});

describe("the extent of a list", () => {
  it("is found in lists longer than a function takes arguments", () => {
    expect(extent(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 300_000))).toEqual([0, 299_999]);
  });
});
