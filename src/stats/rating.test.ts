import { describe, expect, it } from "vitest";
import { bradleyTerry, type Comparison, dawidSkene, type Label, type Strength, thurstone } from "./rating.ts";

const meetings: [string, string, number, number][] = [
  ["a", "b", 7, 3],
  ["a", "c", 5, 4],
  ["b", "c", 6, 4],
  ["c", "a", 3, 2],
  ["a", "d", 8, 1],
  ["b", "d", 4, 5],
];
const comparisons = meetings.flatMap(([left, right, wins, losses]) => [
  ...Array.from({ length: wins }, (): Comparison => ({ left, right, outcome: "left" })),
  ...Array.from({ length: losses }, (): Comparison => ({ left, right, outcome: "right" })),
]);

function strengths(result: ReturnType<typeof bradleyTerry>): readonly Strength[] {
  if ("reason" in result) throw new Error(result.reason);
  return result;
}

describe("strengths from paired comparisons", () => {
  it.each([
    ["Bradley–Terry", bradleyTerry, [0, -0.7080160925146044, -0.4659986502729355, -1.0681859536000051]],
    ["Thurstone", thurstone, [0, -0.4446525976425497, -0.2904352501615117, -0.6744976789758749]],
  ] as const)("%s is R’s BradleyTerry2 and glm, logit and probit", (_, model, abilities) => {
    const fitted = strengths(model(comparisons));
    abilities.forEach((ability, i) => {
      expect(fitted[i]!.strength - fitted[0]!.strength).toBeCloseTo(ability, 8);
    });
    expect(fitted.reduce((sum, { strength }) => sum + strength, 0)).toBeCloseTo(0, 10);
  });

  it("have R's standard errors", () => {
    const fitted = strengths(bradleyTerry(comparisons));
    // R's covariance of b, c and d with a fixed at 0, converted to strengths that sum to zero.
    const covariance = [
      [0, 0, 0, 0],
      [0, 0.21816159818947378, 0.09298564326964799, 0.12212880497725767],
      [0, 0.09298564326964799, 0.21263086947356738, 0.05205419096123777],
      [0, 0.12212880497725767, 0.05205419096123777, 0.32532920767770585],
    ];
    fitted.forEach(({ strength, interval }, i) => {
      const weights = [0, 1, 2, 3].map((j) => (j === i ? 0.75 : -0.25));
      const variance = weights.reduce(
        (sum, w, a) => sum + weights.reduce((inner, v, b) => inner + w * v * covariance[a]![b]!, 0),
        0,
      );
      expect((interval[1] - strength) / 1.959963984540054).toBeCloseTo(Math.sqrt(variance), 6);
    });
  });

  it("count a tie as half a win for each", () => {
    const even = strengths(bradleyTerry([{ left: "x", right: "y", outcome: "tie" }]));
    expect(even.map(({ strength }) => strength)).toEqual([0, 0]);
  });

  it("do not exist for somebody who never lost, and the result says who", () => {
    const unbeaten = bradleyTerry([...comparisons, { left: "champion", right: "a", outcome: "left" }]);
    expect(unbeaten).toMatchObject({ value: null });
    expect("reason" in unbeaten && unbeaten.reason).toContain("champion");
    expect(bradleyTerry([])).toMatchObject({ value: null });
  });
});

describe("a panel after Dawid and Skene", () => {
  const given: (string | null)[][] = [
    ["1", "1", "0"],
    ["0", "0", "0"],
    ["1", "1", "1"],
    ["2", "2", "0"],
    ["2", "1", "2"],
    ["0", "0", "1"],
    ["1", null, "1"],
    ["0", "2", null],
    ["2", "2", "2"],
    ["1", "0", "1"],
    ["0", "0", "0"],
    ["2", "2", "1"],
  ];
  const labels = given.flatMap((row, item) =>
    row.flatMap((label, rater): Label[] => (label === null ? [] : [{ item: `${item}`, rater: `${rater}`, label }])),
  );

  it("agrees with a plain numpy run of the same equations", () => {
    const panel = dawidSkene(labels);
    panel.prevalence.forEach((share) => {
      expect(share).toBeCloseTo(1 / 3, 6);
    });
    expect(panel.items.get("7")![0]).toBeCloseTo(1, 6);
    expect(panel.items.get("4")![2]).toBeCloseTo(1, 6);
    const second = panel.raters.get("1")!;
    expect(second[0]![0]).toBeCloseTo(0.75, 6);
    expect(second[1]![1]).toBeCloseTo(2 / 3, 6);
    expect(second[2]![2]).toBeCloseTo(0.75, 6);
  });

  it("sees through a rater who is always wrong", () => {
    const truths = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? "good" : "bad"));
    const turned = (label: string) => (label === "good" ? "bad" : "good");
    const panel = dawidSkene(
      truths.flatMap((truth, i) => [
        { item: `${i}`, rater: "careful", label: truth },
        { item: `${i}`, rater: "steady", label: i === 5 ? turned(truth) : truth },
        { item: `${i}`, rater: "contrary", label: turned(truth) },
      ]),
    );
    truths.forEach((truth, i) => {
      expect(panel.items.get(`${i}`)![panel.labels.indexOf(truth)]).toBeGreaterThan(0.9);
    });
    expect(panel.raters.get("contrary")![0]![1]).toBeGreaterThan(0.9);
  });
});
