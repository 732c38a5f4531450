import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { SIMULATED_NOISE, simulatedHumans, simulatedWriters, trueLevel } from "../../testing/simulated-writers.ts";
import { benchmarkWriters } from "../benchmark-writers.ts";
import { buildPopulation } from "../population/build-population.ts";
import type { ScoredChapter } from "../population/novel-scores.ts";
import { compareWriters } from "./compare-writers.ts";
import { leaderboard } from "./leaderboard.ts";
import { placedNovels } from "./placed-novels.ts";

const size = { novels: 100, chapters: 2, dimensions: 2 };

function populationOf(seed: number, chapters = size.chapters) {
  return buildPopulation(simulatedHumans({ ...size, chapters }, SIMULATED_NOISE, seededRandom(seed)), {
    id: "simulated",
    description: "simulated novels",
    judge: { id: "simulated", version: "1" },
    rubric: { id: "simulated", version: 1, hash: "0" },
    dimensions: ["a", "b"],
  }).population;
}

const population = populationOf(1);

/** Keeps only the first novels of some writers. */
function firstNovels(chapters: readonly ScoredChapter[], counts: Readonly<Record<string, number>>): ScoredChapter[] {
  return chapters.filter(
    ({ writer, novel }) => Number(novel.split(" ")[1]) < (counts[writer] ?? Number.POSITIVE_INFINITY),
  );
}

describe("writers of unequal numbers of novels", () => {
  it("are not told apart where all are equal and some have two novels", () => {
    const random = seededRandom(11);
    const boards = 100;
    let wrong = 0;
    for (let board = 0; board < boards; board++) {
      const equal = { a: 0, b: 0, c: 0, brief: 0, short: 0, scant: 0 };
      const chapters = simulatedWriters(equal, { ...size, novels: 30 }, SIMULATED_NOISE, random);
      const kept = firstNovels(chapters, { brief: 2, short: 2, scant: 2 });
      const { pairs, significance } = compareWriters(placedNovels(kept, population), random);
      expect(pairs.every(({ adjusted }) => adjusted !== null)).toBe(true);
      if (pairs.some(({ adjusted }) => adjusted! < significance)) wrong++;
    }
    expect(wrong / boards).toBeLessThanOrEqual(0.05);
  });

  it("have a wide interval with one novel, which holds the true level as often as it says", () => {
    const random = seededRandom(5);
    const boards = 60;
    const chaptersEach = 10;
    let inside = 0;
    let wider = 0;
    for (let board = 0; board < boards; board++) {
      const chapters = simulatedWriters(
        { once: 0.5, ten: 0, others: 1 },
        { ...size, novels: 10, chapters: chaptersEach },
        SIMULATED_NOISE,
        random,
      );
      const { rows } = leaderboard(firstNovels(chapters, { once: 1 }), populationOf(board, chaptersEach), random);
      const width = (name: string) => {
        const [low, high] = rows.find(({ writer }) => writer === name)!.interval;
        return high - low;
      };
      wider += width("once") - width("ten");
      const [low, high] = rows.find(({ writer }) => writer === "once")!.interval;
      const truth = trueLevel(0.5, { ...size, chapters: chaptersEach }, SIMULATED_NOISE);
      if (low <= truth && truth <= high) inside++;
    }
    expect(inside / boards).toBeGreaterThanOrEqual(0.9);
    expect(wider / boards).toBeGreaterThan(10);
  });

  it("have an interval also where no other writer says how much novels differ", () => {
    const alone = firstNovels(simulatedWriters({ once: 0 }, size, SIMULATED_NOISE, seededRandom(2)), { once: 1 });
    const [low, high] = leaderboard(alone, population, seededRandom(1)).rows[0]!.interval;
    expect(high - low).toBeGreaterThan(50);
  });
});

describe("a writer that leaves out the hard chapters", () => {
  const random = seededRandom(3);
  /** Twelve novels whose even-numbered chapters are hard for everybody. */
  const written = (writer: string, chapters: readonly number[]): ScoredChapter[] =>
    Array.from({ length: 12 }, (_, novel) =>
      chapters.map((chapter) => {
        const score = (chapter % 2 === 0 ? 2 : 4) + 0.3 * random();
        return { novel: `prompt ${novel}`, writer, chapter, words: 1000, scores: [score, score] };
      }),
    ).flat();
  const all = [...written("whole", [1, 2, 3, 4]), ...written("choosy", [1, 3])];

  it("is not told from its equal, and the gap is pointed out", () => {
    const { board, warnings } = benchmarkWriters(all, population, seededRandom(1));
    const [pair] = board.comparisons.pairs;
    expect(pair).toMatchObject({ design: "paired", shared: 12 });
    expect(Math.abs(pair!.difference)).toBeLessThan(0.2);
    expect(board.rows.map(({ groups }) => groups)).toEqual(["a", "a"]);
    expect(warnings.join("\n")).toContain("choosy has 50 %");
  });

  it("is compared over all chapters where these have no numbers, without a warning", () => {
    const unnumbered = all.map((chapter, index) => ({ ...chapter, chapter: index + 1, isUnnumbered: true as const }));
    const { board, warnings } = benchmarkWriters(unnumbered, population, seededRandom(1));
    expect(board.comparisons.pairs[0]).toMatchObject({ shared: 12 });
    expect(board.comparisons.pairs[0]!.difference).toBeGreaterThan(0.5);
    expect(warnings.join("\n")).not.toContain("choosy has");
  });

  it("is told apart over what both have where it differs there", () => {
    const better = written("better", [1, 3]).map((row) => ({ ...row, scores: row.scores.map((score) => score! + 1) }));
    const { comparisons } = leaderboard([...all, ...better], population, seededRandom(1));
    const pair = comparisons.pairs.find(({ first, second }) => first === "better" && second === "whole")!;
    expect(pair.adjusted).toBeLessThan(comparisons.significance);
  });
});
