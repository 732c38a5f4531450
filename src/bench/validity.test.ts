import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { lengthControl } from "./benchmark-writers.ts";
import { modelFamily } from "./model-family.ts";
import { buildPopulation } from "./population/build-population.ts";
import type { ScoredChapter } from "./population/novel-scores.ts";
import { ceilingCheck, crossJudge, powerAdvice, repeatability, selfPreference } from "./validity.ts";
import { wordsIn } from "./words.ts";
import { LEAST_NOVELS } from "./writers/compare-writers.ts";
import { leaderboard } from "./writers/leaderboard.ts";

const recipe = {
  id: "test",
  description: "made-up novels",
  judge: { id: "test", version: "1" },
  rubric: { id: "test", version: 1, hash: "0" },
  dimensions: ["a"],
};
const chapter = (writer: string, novel: number, score: number, words = 1000): ScoredChapter => ({
  novel: `${writer} ${novel}`,
  writer,
  chapter: 1,
  words,
  scores: [score],
});
const { population } = buildPopulation(
  Array.from({ length: 101 }, (_, index) => chapter("human", index, index / 25)),
  recipe,
);

describe("length control", () => {
  it("finds what a doubling of the length is worth within writers, with its interval", () => {
    const chapters = ["short", "long"].flatMap((writer, offset) =>
      [1, 2, 4, 8].map((factor, novel) => {
        const words = 500 * factor * (offset + 1);
        return chapter(writer, novel, 1 + 0.1 * Math.log2(words / 500) + (novel % 2 === 0 ? 0.01 : -0.01), words);
      }),
    );
    const control = lengthControl(chapters, population);
    const scale = population.weights[0]! / population.deviations[0]!;
    // By numpy.linalg.lstsq with a column per writer: slope 0.096, standard error 0.0035777, 5 degrees of freedom.
    expect(control.perDoubling).toBeCloseTo(0.096 * scale, 9);
    expect(control.perDoublingInterval?.[0]).toBeCloseTo((0.096 - 2.570582 * 0.0035777) * scale, 4);
    expect(control.perDoublingInterval?.[1]).toBeCloseTo((0.096 + 2.570582 * 0.0035777) * scale, 4);
  });

  it("says nothing of texts of nearly one length, however well length and score go together", () => {
    const chapters = ["a", "b"].flatMap((writer) =>
      Array.from({ length: 10 }, (_, novel) => chapter(writer, novel, 2 + 0.01 * novel, 1000 + novel)),
    );
    expect(lengthControl(chapters, population)).toMatchObject({ perDoubling: null, perDoublingInterval: null });
  });

  it("has no slope when every text is as long", () => {
    expect(lengthControl([chapter("a", 1, 1), chapter("b", 1, 2)], population).perDoubling).toBeNull();
  });
});

describe("the ceiling check", () => {
  it("advises a stronger population when writers crowd at the top", () => {
    const chapters = ["a", "b", "c"].flatMap((writer) => [1, 2, 3].map((novel) => chapter(writer, novel, 4)));
    const check = ceilingCheck(leaderboard(chapters, population, seededRandom(1)));
    expect(check.atCeiling).toHaveLength(3);
    expect(check.withinNoiseOfTop).toBe(1);
    expect(check.advice).toContain("stronger population");
  });

  it("counts the others that cannot be told from the best, not the best itself", () => {
    const random = seededRandom(4);
    const written = (writer: string, level: number) =>
      Array.from({ length: 10 }, (_, novel) => chapter(writer, novel, level + 0.1 * random()));
    const apart = leaderboard([...written("a", 3), ...written("b", 1)], population, seededRandom(1));
    expect(ceilingCheck(apart).withinNoiseOfTop).toBe(0);
    expect(ceilingCheck(leaderboard(written("a", 3), population, seededRandom(1))).withinNoiseOfTop).toBeNull();
  });

  it("is silent when they do not", () => {
    const chapters = [1, 2, 3].flatMap((level) => [1, 2, 3].map((novel) => chapter(`w${level}`, novel, level)));
    expect(ceilingCheck(leaderboard(chapters, population, seededRandom(1))).advice).toBeNull();
  });
});

describe("a second judge", () => {
  const board = (levels: Record<string, number>) =>
    leaderboard(
      Object.entries(levels).flatMap(([writer, level]) => [1, 2].map((novel) => chapter(writer, novel, level))),
      population,
      seededRandom(1),
    );

  const words = wordsIn("en");

  it("agrees, disagrees and names who moved", () => {
    const first = board({ a: 1, b: 2, c: 3 });
    expect(crossJudge(first, first).kendall.value).toBe(1);
    const turned = crossJudge(first, board({ a: 3, b: 2, c: 1 }));
    expect(turned.kendall.value).toBe(-1);
    expect(turned.moved.map((move) => move.writer).sort()).toEqual(["a", "c"]);
  });

  const claude = (levels: Record<string, number>) => ({ judge: "anthropic:claude-opus-4", board: board(levels) });

  it("measures how a judge treats its own family, with an interval over writers", () => {
    const own = board({ "gpt-4o": 3, "qwen-2": 2, "llama-3": 2.1, "glm-4": 2 });
    const other = claude({ "gpt-4o": 2, "qwen-2": 2, "llama-3": 2, "glm-4": 2.1 });
    const preference = selfPreference("openai:gpt-4.1", own, other, words);
    expect(preference?.writers).toEqual(["gpt-4o"]);
    // Differences of 1 against 0, 0.1 and −0.1, in composites; the interval is scipy's with a common variance.
    const scale = population.weights[0]! / population.deviations[0]!;
    expect(preference?.advantage).toBeCloseTo(scale, 9);
    expect(preference?.interval?.[0]).toBeCloseTo(0.503172 * scale, 4);
    expect(preference?.interval?.[1]).toBeCloseTo(1.496828 * scale, 4);
    expect(selfPreference("grader", own, null, words)).toBeNull();
  });

  it("does not accuse a fair judge where the second judge favours its own family", () => {
    const own = board({ "gpt-4o": 2, "qwen-2": 2, "llama-3": 2.1, "claude-3": 2 });
    const other = claude({ "gpt-4o": 2, "qwen-2": 2.1, "llama-3": 2, "claude-3": 3 });
    const preference = selfPreference("openai:gpt-4.1", own, other, words);
    expect(preference?.advantage).toBeCloseTo(0, 9);
    expect(preference?.interval?.[0]).toBeLessThan(0);
    expect(preference?.interval?.[1]).toBeGreaterThan(0);
  });

  it("measures nothing with a second judge of the same family, or without writers of neither family", () => {
    const own = board({ "gpt-4o": 3, "gpt-5": 3.1, "claude-3": 2 });
    const levels = { "gpt-4o": 2, "gpt-5": 2, "claude-3": 2 };
    expect(selfPreference("openai:gpt-4.1", own, claude(levels), words)?.advantage).toBeNull();
    const family = { judge: "openai:o3", board: board(levels) };
    expect(selfPreference("openai:gpt-4.1", own, family, words)?.advantage).toBeNull();
  });

  it("measures it above the population too, where every percentile is 100", () => {
    const own = board({ "gpt-4o": 12, "qwen-2": 9, "llama-3": 9.1 });
    const other = claude({ "gpt-4o": 9, "qwen-2": 9, "llama-3": 9 });
    expect(own.rows.map(({ level }) => level)).toEqual([100, 100, 100]);
    expect(selfPreference("openai:gpt-4.1", own, other, words)?.advantage).toBeGreaterThan(0.5);
  });

  it.each([
    ["openai:o3-mini", "gpt"],
    ["anthropic:claude-opus-4", "claude"],
    ["Qwen2.5-7B@http://host/v1", "qwen"],
    ["grader", null],
  ])("knows the family of %s", (name, family) => {
    expect(modelFamily(name)).toBe(family);
  });
});

describe("repeatability", () => {
  it("gives the spread of repeated scores, and nothing for a single one", () => {
    const spread = repeatability(
      new Map([
        ["steady", [3, 3, 3]],
        ["shaky", [1, 2, 3, 4, 5]],
        ["once", [4]],
      ]),
    );
    expect(spread.map(({ text, interquartileRange, variance }) => [text, interquartileRange, variance])).toEqual([
      ["steady", 0, 0],
      ["shaky", 2, 2.5],
    ]);
  });
});

describe("advice on how many novels to write", () => {
  it("is never fewer than the test of differences can use, and more for smaller differences", () => {
    const random = seededRandom(4);
    const written = ["ada", "bea"].flatMap((writer, offset) =>
      Array.from({ length: 12 }, (_, novel) => ({
        ...chapter(writer, novel, 1 + offset + 0.1 * random()),
        novel: `novel ${novel}`,
      })),
    );
    const advice = powerAdvice(leaderboard(written, population, random).comparisons);
    const novels = advice?.novels.map((row) => row.novels) ?? [];
    expect(novels).toHaveLength(4);
    expect(Math.min(...novels)).toBe(LEAST_NOVELS);
    expect(novels).toEqual([...novels].sort((left, right) => right - left));
  });
});
