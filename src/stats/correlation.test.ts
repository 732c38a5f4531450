import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kendallTau, pearson, resampledKendall, resampledPearson, resampledSpearman, spearman } from "./correlation.ts";
import { completePairs } from "./statistic.ts";

const ratings = [3.1, 2.4, 4.0, 3.3, 2.9, 4.4, 1.7, 3.3, 2.2, 3.8];
const scores = [0.31, 0.22, 0.35, 0.41, 0.31, 0.52, 0.12, 0.29, 0.31, 0.44];
const gradesA = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 1, 2, 3, 4, 5, 2, 3, 3, 4, 1];
const gradesB = [1, 2, 2, 3, 3, 3, 4, 5, 5, 4, 1, 1, 3, 3, 5, 2, 2, 4, 4, 2];
const kendallOfKendall = { x: [1, 2, 2, 4, 4, 6, 6, 8, 9, 9], y: [1, 2, 4, 4, 4, 4, 8, 8, 8, 10] };

/** scipy 1.10.1: `kendalltau(x, y, variant=…)`, `spearmanr`, `pearsonr`. */
const SCIPY = [
  {
    x: [12, 2, 1, 12, 2],
    y: [1, 4, 7, 1, 0],
    b: -0.4714045207910316,
    c: -0.48,
    rho: -0.5407380704358752,
    r: -0.5566399985665696,
  },
  {
    x: ratings,
    y: scores,
    b: 0.6746010525388914,
    c: 0.6628571428571428,
    rho: 0.8123423017110581,
    r: 0.8723562084980649,
  },
  { x: gradesA, y: gradesB, b: 0.7886474571814787, c: 0.78125, rho: 0.8775521017532665, r: 0.8705665287574929 },
];

describe("correlations", () => {
  it.each(SCIPY)("agree with scipy ($b)", ({ x, y, b, c, rho, r }) => {
    expect(kendallTau(x, y).value).toBeCloseTo(b, 14);
    expect(kendallTau(x, y, { variant: "c" }).value).toBeCloseTo(c, 14);
    expect(spearman(x, y).value).toBeCloseTo(rho, 14);
    expect(pearson(x, y).value).toBeCloseTo(r, 14);
  });

  it("agree with the worked examples of scipy's own tests", () => {
    expect(kendallTau([5, 2, 1, 3, 6, 4, 7, 8], [5, 2, 6, 3, 1, 8, 7, 4]).value).toBe(0);
    expect(kendallTau([5, 2, 1, 3, 6, 4, 7], [5, 2, 6, 3, 1, 7, 4]).value).toBeCloseTo(-1 / 7, 14);
    expect(kendallTau(kendallOfKendall.x, kendallOfKendall.y).value).toBeCloseTo(0.85895569, 8);
    expect(kendallTau(kendallOfKendall.x, kendallOfKendall.y, { variant: "c" }).value).toBeCloseTo(0.825, 14);
    expect(kendallTau([1, 1, 2], [1, 1, 2]).value).toBeCloseTo(1, 14);
    expect(kendallTau([1, 1, 2], [1, 1, 2], { variant: "c" }).value).toBeCloseTo(8 / 9, 14);
    expect(spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]).value).toBeCloseTo(0.8207826816681233, 14);
    const tiny = [1e-12, 2e-12, 3e-12, 4e-12, 5e-12];
    expect(spearman(tiny, [99999991, 99999992, 99999993, 99999994, 99999995]).value).toBeCloseTo(1, 14);
  });

  it("are undefined, with a reason, where they have no meaning", () => {
    for (const correlation of [pearson, spearman, kendallTau]) {
      expect(correlation([2, 2, 2], [1, 2, 3])).toEqual({ value: null, reason: "the first column is constant" });
      expect(correlation([1, 2, 3], [7, 7, 7])).toEqual({ value: null, reason: "the second column is constant" });
      expect(correlation([], [])).toEqual({ value: null, reason: "a correlation needs at least two pairs" });
      expect(correlation([1, Number.NaN, 3], [1, 2, 3]).value).toBeNull();
      expect(() => correlation([1, 2], [1])).toThrow(RangeError);
    }
    expect(pearson([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]).value).toBeNull();
    expect(pearson([1, 2, Number.POSITIVE_INFINITY], [1, 2, 3]).value).toBeNull();
    expect(kendallTau([1, 2, Number.POSITIVE_INFINITY], [1, 2, 3]).value).toBe(1);
  });

  it("leave out incomplete pairs only when told, and count them", () => {
    const pairs = completePairs([1, 2, null, 4, Number.NaN, 0], [2, undefined, 3, 5, 1, 0]);
    expect([...pairs.left]).toEqual([1, 4, 0]);
    expect([...pairs.right]).toEqual([2, 5, 0]);
    expect([...pairs.positions]).toEqual([0, 3, 5]);
    expect(pairs.missing).toBe(3);
  });
});

const column = (length: number) =>
  fc.oneof(
    fc.array(fc.integer({ min: 0, max: 4 }), { minLength: length, maxLength: length }),
    fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: length, maxLength: length }),
  );
const columns = fc.integer({ min: 2, max: 60 }).chain((length) => fc.tuple(column(length), column(length)));

function kendallByDefinition(x: readonly number[], y: readonly number[]): number {
  let surplus = 0;
  let untiedX = 0;
  let untiedY = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const dx = Math.sign(x[i]! - x[j]!);
      const dy = Math.sign(y[i]! - y[j]!);
      surplus += dx * dy;
      untiedX += dx * dx;
      untiedY += dy * dy;
    }
  }
  return surplus / Math.sqrt(untiedX * untiedY);
}

describe("Kendall's τ", () => {
  it("is what its definition says, pair by pair", () => {
    fc.assert(
      fc.property(columns, ([x, y]) => {
        const { value } = kendallTau(x, y);
        if (value !== null) expect(value).toBeCloseTo(kendallByDefinition(x, y), 12);
      }),
    );
  });

  it("takes the radix road for long columns and arrives at the same place", () => {
    const x = Array.from({ length: 3500 }, (_, i) => ((i * 7919) % 3511) / 7 - 200);
    const y = x.map((value, i) => Math.round(value + ((i * 104729) % 97) - 48));
    expect(kendallTau(x, y).value).toBeCloseTo(kendallByDefinition(x, y), 12);
  });

  it("keeps its sign rules", () => {
    fc.assert(
      fc.property(columns, ([x, y]) => {
        for (const correlation of [pearson, spearman, kendallTau]) {
          const { value } = correlation(x, y);
          if (value === null) return;
          expect(correlation(y, x).value).toBeCloseTo(value, 12);
          expect(
            correlation(
              x,
              y.map((entry) => -entry),
            ).value,
          ).toBeCloseTo(-value, 9);
          expect(Math.abs(value)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe("resampled correlations", () => {
  it("equal the correlation of the drawn pairs", () => {
    fc.assert(
      fc.property(
        columns,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
        ([x, y], draws) => {
          const positions = x.map(() => Math.floor(draws.next().value! * x.length));
          const pick = (values: number[]) => positions.map((position) => values[position]!);
          const forms = [
            [resampledPearson, pearson],
            [resampledSpearman, spearman],
            [resampledKendall, kendallTau],
          ] as const;
          for (const [resampled, direct] of forms) {
            const expected = direct(pick(x), pick(y)).value;
            const actual = resampled(x, y)(positions).value;
            if (expected === null) expect(actual).toBeNull();
            else expect(actual).toBeCloseTo(expected, 12);
          }
        },
      ),
    );
  });
});
