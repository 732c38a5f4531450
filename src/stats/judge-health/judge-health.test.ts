import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { judgeHealth, repeatability } from "./judge-health.ts";
import type { CheckName, Judgement, OrderedComparison } from "./judgement.ts";

const options = { seed: 1, resamples: 200 };
const empty = { judgements: [], anchors: [], comparisons: [], scale: null };

function judgement(changes: Partial<Judgement>): Judgement {
  return {
    judge: "judge",
    item: "text",
    score: 10,
    aspects: {},
    words: Number.NaN,
    replyWords: Number.NaN,
    writer: null,
    human: Number.NaN,
    ...changes,
  };
}

function finding(check: CheckName, records: Partial<Parameters<typeof judgeHealth>[0]>, judge = "judge") {
  const health = judgeHealth({ ...empty, ...records }, options).find((entry) => entry.judge === judge);
  return health!.findings.find((entry) => entry.check === check)!;
}

const random = seededRandom(8);
const quality = Array.from({ length: 60 }, () => 4 + 12 * random());
const texts = (make: (quality: number, index: number) => Partial<Judgement>) =>
  quality.map((level, index) => judgement({ item: `text ${index}`, score: level, ...make(level, index) }));

describe("judge health", () => {
  it("knows nothing from nothing, and says what each check would need", () => {
    const [health] = judgeHealth({ ...empty, judgements: [judgement({})] }, options);
    expect(health!.findings.map(({ state }) => state)).toEqual(Array(10).fill("unknown"));
    for (const { message } of health!.findings) expect(message.length).toBeGreaterThan(10);
  });

  it("tells a steady judge from one that throws dice", () => {
    const asked = (noise: number) =>
      [0, 1, 2].flatMap(() => texts((level) => ({ score: level + noise * (random() - 0.5) })));
    expect(finding("test-retest", { judgements: asked(0.5) })).toMatchObject({ state: "sound", n: 60 });
    expect(finding("test-retest", { judgements: asked(40) }).state).toBe("problem");
  });

  it("computes repeatability as the one-way intraclass correlation (Shrout and Fleiss's data)", () => {
    const data = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ];
    expect(repeatability(data).value).toBeCloseTo(0.1657417684054754, 12);
  });

  it("finds a judge that favours what is shown first, and counts the pairs that kept their winner", () => {
    const shown = (bias: number): OrderedComparison[] =>
      Array.from({ length: 80 }, (_, i) => {
        const [first, second] = i % 2 ? [`a${i >> 1}`, `b${i >> 1}`] : [`b${i >> 1}`, `a${i >> 1}`];
        return { judge: "judge", first, second, winner: random() < 0.5 + bias ? "first" : "second" };
      });
    expect(finding("position-bias", { comparisons: shown(0.35) }).state).toBe("problem");
    const fair: OrderedComparison[] = Array.from({ length: 40 }, (_, i) => ({
      judge: "judge",
      first: i % 2 ? "a" : "b",
      second: i % 2 ? "b" : "a",
      winner: i % 2 ? "first" : "second",
    }));
    expect(finding("position-bias", { comparisons: fair })).toMatchObject({ state: "sound", n: 40 });
    expect(finding("position-bias", { comparisons: fair }).message).toContain("1 of 1 pairs");
  });

  it("finds a judge that counts words, and forgives length that people like too", () => {
    const words = quality.map(() => 500 + 5000 * random());
    const biased = texts((level, i) => ({ words: words[i]!, score: level / 6 + words[i]! / 500 }));
    expect(finding("length-bias", { judgements: biased }).state).toBe("problem");
    const deserved = texts((level) => ({ words: level * 300 + 400 * random(), human: level + 0.2 * random() }));
    expect(finding("length-bias", { judgements: deserved }).state).not.toBe("problem");
    const chatty = texts((level) => ({ replyWords: 900 - level * 20 + 10 * random() }));
    expect(finding("verbosity", { judgements: chatty }).state).toBe("problem");
  });

  it("finds a judge that favours its own writing, and does not blame one that writes well", () => {
    const panel = (favour: number, merit: number) =>
      quality.flatMap((level, i) => {
        const writer = i % 3 === 0 ? "judge" : "someone";
        const own = writer === "judge";
        const base = { item: `text ${i}`, writer };
        return [
          judgement({ ...base, judge: "judge", score: level + (own ? favour + merit : 0) + random() }),
          judgement({ ...base, judge: "other", score: level + (own ? merit : 0) + random() }),
        ];
      });
    expect(finding("self-preference", { judgements: panel(3, 0) }).state).toBe("problem");
    expect(finding("self-preference", { judgements: panel(0, 3) }).state).toBe("sound");
  });

  it("finds aspects that are all one number", () => {
    const halo = texts((level) => ({ aspects: { plot: level, style: level + 0.1 * random(), world: level + 0.1 } }));
    expect(finding("halo", { judgements: halo }).state).toBe("problem");
    const apart = texts(() => ({ aspects: { plot: random(), style: random(), world: random() } }));
    expect(finding("halo", { judgements: apart }).state).toBe("sound");
  });

  it("finds a judge that gives everything an eight", () => {
    const scale = { minimum: 0, maximum: 20 };
    expect(finding("scale-use", { judgements: texts(() => ({ score: 8 })), scale }).state).toBe("problem");
    expect(finding("scale-use", { judgements: texts(() => ({ score: 21 })), scale }).message).toContain("outside");
    expect(finding("scale-use", { judgements: texts(() => ({})), scale }).state).toBe("sound");
  });

  it("finds that a judge has become more generous on pinned texts, under its old name or a new one", () => {
    const before = texts(() => ({ judge: "judge-march" }));
    const now = (shift: number) => texts((level) => ({ score: level + shift + 0.2 * (random() - 0.5) }));
    expect(finding("drift", { judgements: now(2), anchors: before })).toMatchObject({ state: "problem", n: 60 });
    expect(finding("drift", { judgements: now(0), anchors: before }).state).toBe("sound");
  });

  it("leaves unscored judgements out and counts them", () => {
    const judgements = [...texts(() => ({})), judgement({ score: Number.NaN })];
    expect(judgeHealth({ ...empty, judgements }, options)[0]).toMatchObject({ judgements: 61, unscored: 1 });
  });

  it("does not call a judge unsteady after four texts", () => {
    const four = [3, 5, 4, 6, 5, 3, 4, 4].map((score, at) => judgement({ item: `t${at % 4}`, score }));
    expect(finding("test-retest", { judgements: four })).toMatchObject({ state: "watch", n: 4 });
  });
});
