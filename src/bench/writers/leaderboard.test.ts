import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { buildPopulation } from "../population/build-population.ts";
import type { ScoredChapter } from "../population/novel-scores.ts";
import { leaderboard } from "./leaderboard.ts";

const DIMENSIONS = ["a", "b"];
const recipe = {
  id: "test",
  description: "made-up novels",
  judge: { id: "test", version: "1" },
  rubric: { id: "test", version: 1, hash: "0" },
  dimensions: DIMENSIONS,
};

/** Novels of a writer whose chapters scatter around a level. */
function novelsBy(writer: string, level: number, spread: number, seed: number, novels = 10): ScoredChapter[] {
  const random = seededRandom(seed);
  return Array.from({ length: novels * 5 }, (_, index) => {
    const score = level + spread * (random() - 0.5);
    const scores = [score, score + 0.2 * (random() - 0.5)];
    return {
      novel: `${writer} ${index % novels}`,
      writer,
      chapter: Math.floor(index / novels) + 1,
      words: 1000,
      scores,
    };
  });
}

const humans = Array.from({ length: 60 }, (_, index) =>
  novelsBy(`human ${index}`, 1 + (4 * index) / 60, 0.4, index, 1),
).flat();
const { population } = buildPopulation(humans, recipe);

describe("a leaderboard", () => {
  const chapters = [
    ...novelsBy("middling", 3, 0.6, 1),
    ...novelsBy("strong", 4.5, 0.6, 2),
    ...novelsBy("weak", 1.5, 0.6, 3),
    ...novelsBy("middling too", 3, 0.6, 4),
  ];
  const board = leaderboard(chapters, population, seededRandom(9));

  it("puts the stronger writer first, with a level inside its interval", () => {
    expect(board.rows.map((row) => row.rank)).toEqual([1, 2, 3, 4]);
    expect(board.rows[0]!.writer).toBe("strong");
    expect(board.rows[3]!.writer).toBe("weak");
    for (const row of board.rows) {
      expect(row.interval[0]).toBeLessThanOrEqual(row.level);
      expect(row.interval[1]).toBeGreaterThanOrEqual(row.level);
    }
  });

  it("says that equals cannot be told apart and that the others can", () => {
    const groups = new Map(board.rows.map((row) => [row.writer, new Set(row.groups)]));
    const share = (left: string, right: string) =>
      [...groups.get(left)!].some((letter) => groups.get(right)!.has(letter));
    expect(share("middling", "middling too")).toBe(true);
    expect(share("strong", "middling")).toBe(false);
    expect(share("weak", "middling too")).toBe(false);
  });

  it("repeats for the same seed", () => {
    expect(leaderboard(chapters, population, seededRandom(9)).rows.map((row) => row.interval)).toEqual(
      board.rows.map((row) => row.interval),
    );
  });

  it("tells writers apart who differ in every one of ten shared novels, also above the population", () => {
    const random = seededRandom(5);
    const shared = (writer: string, level: number): ScoredChapter[] =>
      Array.from({ length: 10 }, (_, novel) => {
        const score = level + 0.4 * random();
        return { novel: `prompt ${novel}`, writer, chapter: 1, words: 1000, scores: [score, score] };
      });
    const { rows, comparisons } = leaderboard(
      [...shared("far", 12), ...shared("above", 7)],
      population,
      seededRandom(1),
    );
    expect(rows.map(({ level }) => level)).toEqual([100, 100]);
    expect(rows.map(({ groups }) => groups)).toEqual(["a", "b"]);
    expect(comparisons.pairs[0]).toMatchObject({ design: "paired", shared: 10 });
    expect(comparisons.pairs[0]!.adjusted).toBeLessThan(0.01);
  });

  it("lets no writer of two novels hide the differences of the others", () => {
    const random = seededRandom(8);
    const shared = (writer: string, level: number, novels: number): ScoredChapter[] =>
      Array.from({ length: novels }, (_, novel) => {
        const score = level + 0.4 * random();
        return { novel: `prompt ${novel}`, writer, chapter: 1, words: 1000, scores: [score, score] };
      });
    const full = [1, 2, 3, 4].flatMap((level) => shared(`writer ${level}`, level, 12));
    const brief = [1, 2, 3].flatMap((writer) => shared(`brief ${writer}`, 3, 2));
    const { comparisons } = leaderboard([...full, ...brief], population, seededRandom(1));
    const of = (one: string, other: string) =>
      comparisons.pairs.find(({ first, second }) => [first, second].sort().join() === [one, other].sort().join());
    expect(of("writer 1", "writer 4")!.adjusted).toBeLessThan(0.025);
    expect(of("writer 2", "writer 3")!.adjusted).toBeLessThan(0.025);
  });

  it("does not claim 100–100 for a writer above a small population", () => {
    const few = buildPopulation(
      Array.from({ length: 10 }, (_, index) => novelsBy(`human ${index}`, 1 + index / 3, 0.4, index, 1)).flat(),
      recipe,
    ).population;
    const [row] = leaderboard(novelsBy("above", 6, 0.4, 3), few, seededRandom(1)).rows;
    expect(row!.level).toBe(100);
    expect(row!.interval[0]).toBeLessThan(97);
    expect(row!.abovePopulation).toBe(1);
  });

  it("lists a writer of whom nothing can be placed instead of giving zero", () => {
    const lost: ScoredChapter = { novel: "x", writer: "lost", chapter: 1, words: 10, scores: [3, null] };
    const { rows, unplaced } = leaderboard([...chapters, lost], population, seededRandom(1));
    expect(unplaced).toEqual(["lost"]);
    expect(rows.map((row) => row.writer)).not.toContain("lost");
  });
});
