import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  alternativeAnnotator,
  areaUnderCurve,
  cohenKappa,
  intraclassCorrelation,
  kendallConcordance,
  krippendorffAlpha,
  linConcordance,
  pairwiseAccuracy,
} from "./agreement.ts";

const gradesA = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 1, 2, 3, 4, 5, 2, 3, 3, 4, 1];
const gradesB = [1, 2, 2, 3, 3, 3, 4, 5, 5, 4, 1, 1, 3, 3, 5, 2, 2, 4, 4, 2];

describe("Cohen's κ", () => {
  it("is scikit-learn's, for each weighting", () => {
    expect(cohenKappa(gradesA, gradesB).value).toBeCloseTo(0.4339622641509435, 14);
    expect(cohenKappa(gradesA, gradesB, { weights: "linear" }).value).toBeCloseTo(0.6959459459459459, 14);
    expect(cohenKappa(gradesA, gradesB, { weights: "quadratic" }).value).toBeCloseTo(0.8691860465116279, 14);
  });

  it("measures steps on the whole scale when it is given", () => {
    const seen = cohenKappa([1, 1, 5, 5], [1, 2, 5, 5], { weights: "linear" });
    const whole = cohenKappa([1, 1, 5, 5], [1, 2, 5, 5], { weights: "linear", categories: [1, 2, 3, 4, 5] });
    expect(whole.value).toBeGreaterThan(seen.value!);
    expect(() => cohenKappa([1], [9], { categories: [1, 2] })).toThrow(RangeError);
  });

  it("is undefined when chance leaves no room for disagreement", () => {
    expect(cohenKappa([2, 2], [2, 2])).toEqual({ value: null, reason: "both raters always chose the same category" });
    expect(cohenKappa([], []).value).toBeNull();
  });
});

describe("Krippendorff's α", () => {
  const _ = null;
  const ratings = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ];

  it("is the value of Krippendorff's own worked example at each level of measurement", () => {
    expect(krippendorffAlpha(ratings, "nominal").value).toBeCloseTo(0.743, 3);
    expect(krippendorffAlpha(ratings, "ordinal").value).toBeCloseTo(0.815, 3);
    expect(krippendorffAlpha(ratings, "interval").value).toBeCloseTo(0.849, 3);
  });

  it("does not depend on the order of raters, and is 1 for raters who agree", () => {
    expect(krippendorffAlpha([...ratings].reverse(), "ordinal").value).toBeCloseTo(
      krippendorffAlpha(ratings, "ordinal").value!,
      12,
    );
    expect(
      krippendorffAlpha(
        [
          [1, 2, 3],
          [1, 2, 3],
        ],
        "interval",
      ).value,
    ).toBe(1);
    expect(
      krippendorffAlpha([
        [2, 2],
        [2, 2],
      ]).value,
    ).toBeNull();
    expect(
      krippendorffAlpha([
        [1, _],
        [_, 2],
      ]).value,
    ).toBeNull();
  });
});

describe("intraclass correlations", () => {
  const shroutAndFleiss = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
  ];

  it.each([
    ["one-way", "single", 0.1657417684054754],
    ["random", "single", 0.289763779527559],
    ["fixed", "single", 0.7148407148407147],
    ["one-way", "average", 0.4427971336792685],
    ["random", "average", 0.6200505475989889],
    ["fixed", "average", 0.9093155423770694],
  ] as const)("%s, %s: R's psych::ICC on Shrout and Fleiss's data", (model, unit, expected) => {
    expect(intraclassCorrelation(shroutAndFleiss, { model, unit }).value).toBeCloseTo(expected, 13);
  });

  it("are undefined for items that do not differ", () => {
    expect(
      intraclassCorrelation(
        [
          [3, 3],
          [3, 3],
        ],
        { model: "one-way" },
      ).value,
    ).toBeNull();
    expect(intraclassCorrelation([[3, 3]], { model: "one-way" }).value).toBeNull();
  });
});

describe("concordance", () => {
  it("Lin's falls with a shift that Pearson's does not see", () => {
    const x = [3.1, 2.4, 4.0, 3.3, 2.9, 4.4, 1.7, 3.3, 2.2, 3.8];
    const y = [3.4, 2.1, 4.4, 3.9, 2.7, 4.6, 1.9, 3.0, 2.8, 4.1];
    expect(linConcordance(x, y).value).toBeCloseTo(0.9074955788328121, 14);
    expect(
      linConcordance(
        x,
        x.map((value) => value + 1),
      ).value,
    ).toBeLessThan(0.6);
    expect(linConcordance([1, 1], [1, 1]).value).toBeNull();
  });

  it("Kendall's W is Friedman's statistic in other units (scipy)", () => {
    const raters = [
      [1, 2, 3, 4, 5, 5],
      [2, 1, 3, 4, 6, 5],
      [1, 1, 4, 3, 5, 6],
    ];
    expect(kendallConcordance(raters).value).toBeCloseTo(0.9352750809061487, 14);
    expect(
      kendallConcordance([
        [1, 1],
        [2, 2],
      ]).value,
    ).toBeNull();
  });
});

describe("telling pairs apart", () => {
  it("the area under the curve is Mann and Whitney's U over all pairs (scipy)", () => {
    const positive = [true, false, true, true, false, false, true, false];
    expect(areaUnderCurve(positive, [0.9, 0.4, 0.4, 0.8, 0.7, 0.1, 0.55, 0.55]).value).toBe(0.75);
    expect(areaUnderCurve([true, true], [1, 2]).value).toBeNull();
  });

  it("pairwise accuracy is what counting the pairs gives", () => {
    const column = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(column, column, (human, metric) => {
        let told = 0;
        let right = 0;
        for (let i = 0; i < human.length; i++) {
          for (let j = 0; j < i; j++) {
            if (human[i] === human[j]) continue;
            told++;
            const sameOrder = Math.sign(human[i]! - human[j]!) * Math.sign(metric[i]! - metric[j]!);
            right += (1 + sameOrder) / 2;
          }
        }
        const { value } = pairwiseAccuracy(human, metric);
        if (told === 0) expect(value).toBeNull();
        else expect(value).toBeCloseTo(right / told, 12);
      }),
    );
  });
});

it("pairwise accuracy of nothing, or of one rating, is not defined", () => {
  expect(pairwiseAccuracy([], []).value).toBeNull();
  expect(pairwiseAccuracy([1], [2]).value).toBeNull();
});

describe("the alternative-annotator test", () => {
  const onFive = (value: number) => Math.min(5, Math.max(1, value));
  const truth = Array.from({ length: 40 }, (_, at) => 1 + ((at * 7) % 5));
  const raters = [0, 1, 2].map((who) =>
    truth.map((value, at) =>
      onFive(value + ((at * 3 + who * 5) % 7 === 0 ? 1 : (at * 5 + who * 3) % 11 === 0 ? -1 : 0)),
    ),
  );

  // P values of scipy.stats.ttest_1samp(…, 0.1, alternative="less"), as in the authors' code.
  it("is scipy's, and takes scores between two ratings for the nearer one", () => {
    const fine = truth.map((value, at) => value + 0.2 * ((at % 3) - 1));
    const result = alternativeAnnotator(fine, raters, 0.1)!;
    expect(result.raters.map(({ judge, rater }) => [judge, rater])).toEqual([
      [1, 0.8],
      [1, 0.8],
      [1, 0.825],
    ]);
    expect(result.raters[0]!.p).toBeCloseTo(1.6894772315717213e-5, 12);
    expect(result.raters[2]!.p).toBeCloseTo(2.8116633764686594e-5, 12);
    expect(result).toMatchObject({ winningRate: 1, advantage: 1, outcome: "passes", textsNeeded: null });
  });

  it("tells a judge that is behind from one of whom too few texts say nothing", () => {
    const reversed = alternativeAnnotator(
      truth.map((value) => 6 - value),
      raters,
      0.1,
    )!;
    expect(reversed).toMatchObject({ winningRate: 0, outcome: "fails", textsNeeded: null });
    expect(reversed.raters[0]!.p).toBeCloseTo(0.9999999982124191, 12);
    const generous = truth.map((value, at) => onFive(value + (at % 4 === 0 ? 1 : 0)));
    const open = alternativeAnnotator(generous, raters, 0.1)!;
    expect(open.raters.map(({ p }) => p)).toEqual([
      expect.closeTo(0.03359157287474293, 12),
      expect.closeTo(0.020861128370804335, 12),
      expect.closeTo(0.07209633038479224, 12),
    ]);
    expect(open).toMatchObject({ winningRate: 0, passes: false, outcome: "cannot be told" });
    // With this many more texts of the same kind it is decided.
    expect(open.textsNeeded).toBeGreaterThan(40);
    const times = Math.ceil(open.textsNeeded! / 40);
    const more = <Value>(values: readonly Value[]) => Array.from({ length: times }, () => values).flat();
    expect(alternativeAnnotator(more(generous), raters.map(more), 0.1)!.outcome).toBe("passes");
  });

  it("says no where all raters point against the judge, though most of them would not alone", () => {
    const behind = truth.map((value, at) => onFive(value + ((at * 7) % 40 < 26 ? (value > 3 ? -1 : 1) : 0)));
    const { raters: each, outcome } = alternativeAnnotator(behind, raters, 0.1)!;
    expect(each.map(({ p, isLost }) => [p > 0.96, isLost])).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
    expect(outcome).toBe("fails");
  });

  it("says nothing of fewer than thirty texts or three raters", () => {
    expect(alternativeAnnotator(truth, raters.slice(0, 2), 0.1)).toBeNull();
    expect(
      alternativeAnnotator(
        truth,
        raters.map((own) => own.slice(0, 29)),
        0.1,
      ),
    ).toBeNull();
  });
});
