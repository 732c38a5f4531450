import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { normalDraw } from "../../stats/resampling.ts";
import type { ScoredChapter } from "../population/novel-scores.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import { summedVariance } from "./judge-sample.ts";
import { leaderboard } from "./leaderboard.ts";

const rubric = { id: "simulated", version: 1, hash: "0" };

/** Human novels of every quality from −3 to 3, which all judges score alike. */
function populationOf(judges: readonly string[]): ReferencePopulation {
  const one = { means: [0], deviations: [1], weights: [1] };
  return {
    ...{ format: 1, id: "simulated", description: "", judge: { id: "panel" }, rubric },
    corpus: { hash: "0", novels: 61, excluded: 0 },
    dimensions: [...judges],
    means: judges.map(() => 0),
    deviations: judges.map(() => 1),
    weights: judges.map(() => 1 / judges.length),
    explainedVariance: [1],
    novels: Array.from({ length: 61 }, (_, index) => {
      const composite = (index - 30) / 10;
      const scores = judges.map(() => composite);
      return { ...{ novel: `human ${index}`, writer: "author", chapters: 1, words: null }, scores, composite };
    }),
    panel: judges.map((id) => ({ judge: { id }, rubric, dimensions: ["composite"], ...one })),
    warnings: [],
  };
}

/** Thirty novels by each writer; `taste` is how far a judge's score of a writer differs from its quality. */
function chaptersOf(
  writers: readonly string[],
  judges: readonly string[],
  taste: (writer: string, judge: string) => number,
): ScoredChapter[] {
  const random = seededRandom(4);
  return writers.flatMap((writer) =>
    Array.from({ length: 30 }, (_, novel) => {
      const luck = 0.3 * normalDraw(random);
      const scores = judges.map((judge) => luck + taste(writer, judge) + 0.05 * normalDraw(random));
      return { ...{ novel: `prompt ${novel}`, writer, chapter: 1, words: 1000 }, scores };
    }),
  );
}

const board = (
  writers: readonly string[],
  judges: readonly string[],
  taste: (writer: string, judge: string) => number,
) => leaderboard(chaptersOf(writers, judges, taste), populationOf(judges), seededRandom(1));

describe("judges as a sample", () => {
  it("does not call a difference real that one judge of three makes, and says for whom two judges speak", () => {
    const taste = (writer: string, judge: string) => (writer === "ada" && judge === "ann" ? 1.2 : 0);
    const writers = ["ada", "bea", "cleo", "dora"];
    const two = board(writers, ["ann", "bob"], taste);
    const three = board(writers, ["ann", "bob", "cat"], taste);
    expect(two.judges).toBeNull();
    expect(two.comparisons.method).toContain("Everything holds for these two judges");
    expect(two.rows[0]).toMatchObject({ writer: "ada", groups: "a" });
    expect(three.judges?.judges).toBe(3);
    expect(new Set(three.rows.map(({ groups }) => groups))).toEqual(new Set(["a"]));
    expect(three.comparisons.method).toContain("the 3 judges are a sample");
    const width = ([low, high]: readonly number[]) => high! - low!;
    expect(width(three.rows[0]!.compositeInterval!)).toBeGreaterThan(1.5 * width(two.rows[0]!.compositeInterval!));
    expect(width(three.rows[0]!.interval)).toBeGreaterThan(1.2 * width(two.rows[0]!.interval));
  });

  it("tells apart what all judges tell apart", () => {
    const { rows } = board(["ada", "bea", "cleo"], ["ann", "bob", "cat"], (writer) => (writer === "ada" ? 1 : 0));
    expect(rows.map(({ groups }) => groups)).toEqual(["a", "b", "b"]);
  });

  it("compares a writer of one novel with nobody, and the others as before", () => {
    const judges = ["ann", "bob", "cat"];
    const chapters = chaptersOf(["ada", "bea", "cleo"], judges, (writer) => (writer === "bea" ? 1 : 0)).filter(
      ({ writer, novel }) => writer !== "ada" || novel === "prompt 0",
    );
    const { pairs } = leaderboard(chapters, populationOf(judges), seededRandom(1)).comparisons;
    const adjusted = new Map(pairs.map((pair) => [[pair.first, pair.second].sort().join(" "), pair.adjusted]));
    expect(adjusted.get("ada bea")).toBeNull();
    expect(adjusted.get("ada cleo")).toBeNull();
    expect(adjusted.get("bea cleo")).toBeLessThan(0.01);
  });

  it("leaves out what a judge gives its own family, and says how much that is", () => {
    const judges = ["openai:gpt-4o", "anthropic:claude-sonnet-4-5", "google:gemini-2.5-pro"];
    const writers = ["openai:gpt-4.1", "anthropic:claude-opus-4-1", "mistral:mistral-large", "zhipu:glm-4.6"];
    const taste = (writer: string, judge: string) =>
      (writer === "openai:gpt-4.1" && judge === "openai:gpt-4o" ? 1.5 : 0) + (judge === "openai:gpt-4o" ? 0.4 : 0);
    const { rows, ownFamily, comparisons } = board(writers, judges, taste);
    expect(ownFamily.own).toEqual([
      { writer: writers[0], member: 0 },
      { writer: writers[1], member: 1 },
    ]);
    const [favoured] = ownFamily.advantages;
    expect(favoured!.advantage).toBeCloseTo(1.5, 1);
    expect(favoured!.interval![0]).toBeGreaterThan(1);
    const composites = new Map(rows.map(({ writer, composite }) => [writer, composite]));
    expect(composites.get(writers[0]!)).toBeCloseTo(composites.get(writers[2]!)!, 0);
    const pair = comparisons.pairs.find(
      ({ first, second }) => [first, second].sort().join() === "mistral:mistral-large,openai:gpt-4.1",
    );
    expect(pair!.adjusted).toBeGreaterThan(0.5);
    expect(comparisons.method).toContain("their own family are left out (2 of");
  });

  it("says for whom a board speaks where too few scores are left to take three judges as a sample", () => {
    const judges = ["openai:gpt-4o", "anthropic:claude-sonnet-4-5", "google:gemini-2.5-pro"];
    const level = (writer: string) => (writer.includes("mini") ? 0 : 0.3);
    // Each of two writers has a judge of its own family: the remaining four scores do not show how judges differ.
    const two = board(["openai:gpt-4.1", "anthropic:claude-opus-4-1"], judges, level);
    expect(two.judges).toBeNull();
    expect(two.comparisons.method).toContain("Everything holds for these 3 judges");
    // One of the judges is of the family of all writers, so two are left.
    const family = board(["openai:gpt-4.1", "openai:gpt-4.1-mini", "openai:o3"], judges, level);
    expect(family.judges).toBeNull();
    expect(family.comparisons.method).toContain("Everything holds for these 3 judges");
    const more = board(["openai:gpt-4.1", "openai:gpt-4.1-mini", "openai:o3"], [...judges, "mistral:large"], level);
    expect(more.judges).toMatchObject({ judges: 3, writerByJudge: { degrees: 4 }, judge: { degrees: 2 } });
  });
});

it("Satterthwaite's degrees of freedom lie between those of the parts and their sum", () => {
  const { error, degrees } = summedVariance([
    { variance: 0.04, degrees: 29 },
    { variance: 0.04, degrees: 4 },
  ]);
  expect(error).toBeCloseTo(Math.sqrt(0.08), 12);
  expect(degrees).toBeCloseTo(0.08 ** 2 / (0.04 ** 2 / 29 + 0.04 ** 2 / 4), 12);
});
