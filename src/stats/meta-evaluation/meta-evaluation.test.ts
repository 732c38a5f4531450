import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { type AgreementOptions, itemAgreement, systemAgreement } from "./agreement.ts";
import { agreementWarnings, studyAgreement } from "./agreement-study.ts";
import { compareMetrics } from "./compare-metrics.ts";
import { type RatedRows, systemDraws } from "./draws.ts";
import { withinItemAgreement } from "./within-item-agreement.ts";

const settings: AgreementOptions = { resamples: 300, confidence: 0.95, seed: 1, interval: "percentile", over: "both" };

/** Six systems that each answer the same eight prompts. */
const cells = Array.from({ length: 48 }, (_, row) => ({ a: Math.floor(row / 8), b: row % 8 }));
const ratings = cells.map(({ a, b }) => ((a * 7 + b * 3 + ((a * b) % 4)) % 5) + 1);
const rows: RatedRows = {
  human: Float64Array.from(ratings),
  metric: Float64Array.from(cells, ({ a, b }, i) => ((a * 5 + b * 11 + a * b * 2) % 13) / 13 + ratings[i]! * 0.1),
  system: cells.map(({ a }) => `system ${a}`),
  item: cells.map(({ b }) => `prompt ${b}`),
};

/** numpy 1.24 and scipy 1.10 on the same numbers: Pearson, Spearman, Kendall. */
const SYSTEM = [-0.2501499830154179, -0.3188740696088466, -0.2760262237369417];
const POOLED = [0.6608345641881694, 0.6657808917056197, 0.5355554062376686];
const WITHIN = [0.624204387168402, 0.6094687927088811, 0.534161121102966];

describe("agreement of a metric with people", () => {
  it("averages each system before it correlates at system level (numpy and scipy)", () => {
    const { n, pearson, spearman, kendall } = systemAgreement(rows, settings);
    expect(n).toBe(6);
    expect(pearson.value).toBeCloseTo(SYSTEM[0]!, 12);
    expect(spearman.value).toBeCloseTo(SYSTEM[1]!, 12);
    expect(kendall.value).toBeCloseTo(SYSTEM[2]!, 12);
  });

  it("pools all texts at item level", () => {
    const { n, pearson, spearman, kendall } = itemAgreement(rows, settings);
    expect(n).toBe(48);
    expect(pearson.value).toBeCloseTo(POOLED[0]!, 12);
    expect(spearman.value).toBeCloseTo(POOLED[1]!, 12);
    expect(kendall.value).toBeCloseTo(POOLED[2]!, 12);
  });

  it("gives no interval without width: four texts in the same order stay so however they are drawn", () => {
    const four = {
      human: Float64Array.of(1, 2, 3, 4),
      metric: Float64Array.of(0.1, 0.2, 0.3, 0.4),
      system: null,
      item: null,
    };
    const { kendall, spearman, pearson } = itemAgreement(four, settings);
    for (const { value, interval } of [kendall, spearman, pearson]) {
      expect(value).toBeCloseTo(1, 12);
      expect(interval).toBeNull();
    }
  });

  it("correlates within each item before it averages, and counts the items it had to skip", () => {
    const within = withinItemAgreement(rows, settings);
    expect(within.pearson.value).toBeCloseTo(WITHIN[0]!, 12);
    expect(within.spearman.value).toBeCloseTo(WITHIN[1]!, 12);
    expect(within.kendall.value).toBeCloseTo(WITHIN[2]!, 12);
    expect(within.items).toBe(8);
    const flat = { ...rows, human: rows.human.map((value, i) => (i % 8 === 0 ? 3 : value)) };
    expect(withinItemAgreement(flat, settings)).toMatchObject({ items: 7, skipped: 1 });
  });

  it("gives an interval for each kind of draw", () => {
    const width = (over: AgreementOptions["over"]) => {
      const { interval } = systemAgreement(rows, { ...settings, over }).pearson;
      return interval![1] - interval![0];
    };
    for (const over of ["items", "systems", "both"] as const) {
      expect(width(over)).toBeGreaterThan(0.1);
      expect(width(over)).toBeLessThanOrEqual(2);
    }
    const bca = systemAgreement(rows, { ...settings, over: "systems", interval: "bca" }).pearson;
    expect(bca.interval).not.toBeNull();
  });

  it("averages what is there when a value is missing, and leaves out a system of which nothing is", () => {
    const metric = rows.metric.map((value, i) => (i === 3 || i >= 40 ? Number.NaN : value));
    const agreement = systemAgreement({ ...rows, metric }, settings);
    expect(agreement).toMatchObject({ n: 5, missing: 1 });
    const first = rows.metric.slice(0, 8).filter((_, i) => i !== 3);
    expect(agreement.points.metric[0]).toBeCloseTo(first.reduce((sum, value) => sum + value, 0) / 7, 12);
    expect(itemAgreement({ ...rows, metric }, settings)).toMatchObject({ n: 39, missing: 9 });
  });
});

describe("drawing again", () => {
  /**
   * One text per cell with a value that depends only on its prompt, so that an average shows which prompts were
   * drawn.
   */
  const promptOnly = { ...rows, human: Float64Array.from(cells, ({ b }) => 10 ** b) };
  const systemOnly = { ...rows, human: Float64Array.from(cells, ({ a }) => a) };

  it("gives every system the same items when items are known", () => {
    const { human } = systemDraws(promptOnly, "items")(seededRandom(3));
    for (const average of human) expect(average).toBe(human[0]);
    expect(human[0]! * 8).not.toBe(11_111_111);
    expect(systemDraws(systemOnly, "items")(seededRandom(3)).human).toEqual(Float64Array.of(0, 1, 2, 3, 4, 5));
  });

  it("draws each system's rows on their own when they are not", () => {
    const { human } = systemDraws({ ...promptOnly, item: null }, "items")(seededRandom(3));
    expect(new Set(human).size).toBeGreaterThan(1);
    expect(systemDraws({ ...systemOnly, item: null }, "items")(seededRandom(3)).human).toEqual(
      Float64Array.of(0, 1, 2, 3, 4, 5),
    );
  });

  it("draws whole systems with their averages", () => {
    const { human } = systemDraws(systemOnly, "systems")(seededRandom(3));
    expect(human).toHaveLength(6);
    expect(new Set(human).size).toBeLessThan(6);
    const prompts = systemDraws(promptOnly, "systems")(seededRandom(3)).human;
    for (const average of prompts) expect(average * 8).toBeCloseTo(11_111_111, 6);
  });
});

describe("warnings", () => {
  const items = (human: number[], metric: number[]) =>
    agreementWarnings(
      itemAgreement(
        { human: Float64Array.from(human), metric: Float64Array.from(metric), system: null, item: null },
        { ...settings, resamples: 0 },
      ),
    ).map(({ code }) => code);
  const count = Array.from({ length: 40 }, (_, i) => i);

  it("are silent on a sound table", () => {
    expect(
      items(
        count,
        count.map((i) => i + (i % 3)),
      ),
    ).toEqual([]);
  });

  it("name too few points, ties, a narrow range, gaps, one point that carries all, and what is undefined", () => {
    expect(agreementWarnings(systemAgreement(rows, settings)).map(({ code }) => code)).toContain("few-systems");
    expect(items([1, 2, 3], [1, 2, 3])).toContain("few-items");
    expect(
      items(
        count.map((i) => i % 2),
        count,
      ),
    ).toContain("ties");
    expect(
      items(
        count.map((i) => (i === 0 ? 0 : i === 39 ? 100 : 50 + (i % 5))),
        count,
      ),
    ).toContain("restricted-range");
    expect(
      items(
        count.map((i) => (i === 4 ? Number.NaN : i)),
        count,
      ),
    ).toContain("missing");
    expect(
      items(
        count.map((i) => (i === 39 ? 500 : i % 7)),
        count.map((i) => (i === 39 ? 500 : (i * 3) % 5)),
      ),
    ).toContain("one-point");
    expect(
      items(
        count.map(() => 3),
        count,
      ),
    ).toContain("undefined");
  });
});

describe("a study of several metrics", () => {
  const random = seededRandom(2);
  const human = Float64Array.from({ length: 120 }, random);
  const noisy = (noise: number) => Float64Array.from(human, (value) => value + noise * random());
  const metrics = [
    { name: "good", scores: noisy(0.3) },
    { name: "fair", scores: noisy(1.5) },
    { name: "flat", scores: human.map(() => 1) },
  ];

  it("says which differ beyond chance, corrected over all pairs, and which cannot be compared", () => {
    const [pair, withFlat] = compareMetrics(human, metrics, { seed: 1, permutations: 200 });
    expect(pair).toMatchObject({ first: "good", second: "fair", n: 120 });
    for (const test of [pair!.williams, pair!.permutation]) {
      expect(test.difference).toBeGreaterThan(0.1);
      expect("adjusted" in test && test.adjusted).toBeLessThan(0.05);
      expect("adjusted" in test && test.adjusted >= test.p).toBe(true);
    }
    expect(withFlat!.williams).toEqual({ difference: null, reason: "the second column is constant" });
  });

  it("compares each with the best when they are many", () => {
    const many = Array.from({ length: 14 }, (_, i) => ({ name: `m${i}`, scores: noisy(i === 5 ? 0.01 : 2) }));
    const pairs = compareMetrics(human, many, { seed: 1, permutations: 20 });
    expect(pairs).toHaveLength(13);
    expect(new Set(pairs.map(({ first }) => first))).toEqual(new Set(["m5"]));
  });

  it("repeats with its seed, and speaks of groups on their own", () => {
    const group = Array.from(human, (_, i) => (i % 2 ? "odd" : "even"));
    const run = () =>
      studyAgreement(
        { human, metrics: metrics.slice(0, 2), system: null, item: null, group },
        { seed: 7, resamples: 100, permutations: 20 },
      );
    expect(run()).toEqual(run());
    expect(run().groups.map((entry) => [entry.group, entry.metrics[0]!.agreement.n])).toEqual([
      ["even", 60],
      ["odd", 60],
    ]);
  });
});

describe("answers of several systems to one question", () => {
  it("are drawn together, so that their number does not make an interval narrow", () => {
    const random = seededRandom(8);
    const [items, systems] = [30, 6];
    const human = Array.from({ length: items }, () => random());
    const metric = human.map((rating) => rating + random());
    // Every system gives the same answer to a question: six times the rows, but no more evidence.
    const columns = {
      human: Float64Array.from({ length: items * systems }, (_, row) => human[row % items]!),
      metric: Float64Array.from({ length: items * systems }, (_, row) => metric[row % items]!),
      system: null,
    };
    const options = { resamples: 400, confidence: 0.95, seed: 1, interval: "percentile", over: "items" } as const;
    const width = (item: readonly string[] | null) => {
      const [low, high] = itemAgreement({ ...columns, item }, options).kendall.interval!;
      return high - low;
    };
    const named = width(Array.from(columns.human, (_, row) => `question ${row % items}`));
    expect(named).toBeGreaterThan(1.7 * width(null));
    const alone = Float64Array.from(metric);
    const once = itemAgreement({ human: Float64Array.from(human), metric: alone, system: null, item: null }, options);
    const [low, high] = once.kendall.interval!;
    expect(named).toBeCloseTo(high - low, 1);
  });
});
