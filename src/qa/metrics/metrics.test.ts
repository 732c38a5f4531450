import { describe, expect, it } from "vitest";
import { METRIC_IDS } from "../choices.ts";
import { loadMetrics } from "./load-metrics.ts";
import type { ReferenceRule } from "./reference-rule.ts";

/**
 * Values of the reference implementations: SQuAD's and HotpotQA's rules for exact match and F1, `rouge_score` without
 * stemming, NLTK 3.8 with WordNet 3.0 for METEOR.
 */
const REFERENCE_VALUES: readonly [prediction: string, references: string[], values: number[]][] = [
  [
    "The old lighthouse keeper.",
    ["the lighthouse keeper", "a keeper of the old lighthouse"],
    [0, 0.857142857, 0.857142857, 0.5, 0.857142857, 0.798611111],
  ],
  ["Yes", ["yes, he does", "Yes."], [1, 1, 1, 0, 1, 0.263157895]],
  ["no", ["No one knows", "nobody"], [0, 0, 0.5, 0, 0.5, 0.178571429]],
  [
    "She doesn't trust John's brother.",
    ["Because she does not trust the brother of John", "John's brother is not trusted"],
    [0, 0.461538462, 0.5, 0.363636364, 0.461538462, 0.60483871],
  ],
  ["He purchased an automobile.", ["He bought a car", "a vehicle"], [0, 0.333333333, 0.25, 0, 0.25, 0.12195122]],
  [
    "They were running toward the woods",
    ["They ran to the forest", "ran into the wood"],
    [0, 0.222222222, 0.363636364, 0, 0.363636364, 0.501089325],
  ],
  ["At the café of Éloïse", ["in the cafe", "Éloïse's café"], [0, 0.333333333, 0.6, 0.25, 0.4, 0.3125]],
  [
    "He died. She fled to Paris.",
    ["She fled to Paris after he died.", "They both died"],
    [0, 0.923076923, 0.923076923, 0.727272727, 0.615384615, 0.840561224],
  ],
  [
    "Mr. Harlow owns it.",
    ["Mr. Harlow", "Harlow owns the mill"],
    [0, 0.666666667, 0.666666667, 0.5, 0.666666667, 0.815217391],
  ],
  [
    '"Never again," he said (twice).',
    ['he said "never again"', "Never..."],
    [0, 0.888888889, 0.888888889, 0.571428571, 0.444444444, 0.865384615],
  ],
  [
    "He's gonna leave; she cannot stay!",
    ["she can not stay", "He is going to leave"],
    [0, 0.4, 0.363636364, 0, 0.363636364, 0.844414894],
  ],
  ["", ["something", "nothing"], [0, 0, 0, 0, 0, 0]],
  ["the a an", ["the", "an answer"], [1, 0, 0.5, 0, 0.5, 0.416666667]],
  [
    "the children hurried home happily with the happiest dog",
    ["a happy dog went home", "children hurry"],
    [0, 0.363636364, 0.285714286, 0, 0.181818182, 0.694444444],
  ],
  [
    "1,000 soldiers -- or so -- at 3:30 p.m.",
    ["1000 soldiers", "about 1,000 soldiers"],
    [0, 0.444444444, 0.428571429, 0.333333333, 0.428571429, 0.506756757],
  ],
  [
    "He reckoned it was a big error",
    ["He thought it a large mistake", "he reckons it's a major error"],
    [0, 0.363636364, 0.571428571, 0, 0.571428571, 0.637142857],
  ],
  [
    "Germans seized the geese",
    ["A German took the goose", "german geese"],
    [0, 0.4, 0.333333333, 0, 0.333333333, 0.454545455],
  ],
  [
    "‘Tis the captain’s dog",
    ["the captain's dog", "'tis a dog"],
    [0, 0.4, 0.888888889, 0.857142857, 0.888888889, 0.594315245],
  ],
];

describe("answer metrics", () => {
  it.each(REFERENCE_VALUES)("score %j as the reference implementations do", async (prediction, references, values) => {
    const metrics = await loadMetrics();
    const scores = metrics.map((metric) => metric.score(prediction, references));
    expect(metrics.map(({ id }) => id)).toEqual(METRIC_IDS);
    scores.forEach((score, index) => {
      expect(score, METRIC_IDS[index]).toBeCloseTo(values[index]!, 8);
    });
  });

  it("count the best reference, whatever its place", async () => {
    for (const metric of await loadMetrics()) {
      const good = metric.score("the red door", ["the red door"]);
      expect(metric.score("the red door", ["a green gate", "the red door"])).toBe(good);
      expect(metric.score("the red door", ["the red door", "a green gate"])).toBe(good);
    }
  });

  it("refuse to compare with nothing", async () => {
    const [metric] = await loadMetrics(["em"]);
    expect(() => metric!.score("yes", [])).toThrow(RangeError);
  });

  it("take hostile answers in their stride", async () => {
    const hostile = [
      "y".repeat(50_000),
      "es".repeat(20_000),
      "'".repeat(20_000),
      ". ".repeat(20_000),
      "\ud800",
      "a".repeat(90) + "\u0000",
    ];
    for (const metric of await loadMetrics()) {
      for (const text of hostile) {
        const score = metric.score(text, ["yes", text.slice(0, 200)]);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    }
  });

  it("say which names there are when one is unknown", async () => {
    await expect(loadMetrics(["bleu"])).rejects.toThrow(/no metric "bleu".*em, f1/);
  });
});

describe("answers in other scripts", () => {
  it.each([
    ["北京", "北京"],
    ["北京。", "北京"],
    ["Вронский", "вронский"],
    ["กรุงเทพ", "กรุงเทพ"],
    ["ソウル", "ソウル"],
  ])("%s is the same as %s for every metric of words", async (prediction, reference) => {
    for (const metric of await loadMetrics(["em", "f1", "rouge-1", "rouge-l"])) {
      expect([metric.id, metric.score(prediction, [reference])]).toEqual([metric.id, 1]);
    }
    const [meteor] = await loadMetrics(["meteor"]);
    expect(meteor!.score(prediction, [reference])).toBeGreaterThanOrEqual(0.5);
  });

  it("counts shared characters of Chinese: 在北京 and 北京 share two of three and two", async () => {
    for (const metric of await loadMetrics(["f1", "rouge-1", "rouge-l"])) {
      expect([metric.id, metric.score("在北京", ["北京"])]).toEqual([metric.id, 0.8]);
    }
  });

  it("leaves the published rules alone where the references are in Latin letters", async () => {
    // rouge_score gives 2 of 2 words here, and SQuAD's rules keep the character on its word.
    const [f1, rouge] = await loadMetrics(["f1", "rouge-1"]);
    expect(rouge!.score("old 磨 mill", ["old mill"])).toBe(1);
    expect(f1!.score("old mill磨", ["old mill"])).toBe(0.5);
  });

  it("finds a Chinese name beside Latin letters", async () => {
    const [rouge] = await loadMetrics(["rouge-1"]);
    expect(rouge!.score("Beijing (北京)", ["北京"])).toBe(0.8);
  });
});

describe("the rule of references", () => {
  it("takes the best, the first or the mean", async () => {
    const [f1] = await loadMetrics(["f1"]);
    const score = (rule?: ReferenceRule) => f1!.score("the old mill", ["a barn", "old mill"], rule);
    expect([score(), score("best"), score("first"), score("mean")]).toEqual([1, 1, 0, 0.5]);
  });
});
