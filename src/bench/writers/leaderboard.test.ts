import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { buildPopulation } from "../population/build-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
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

  it("lists a writer of whom nothing can be placed instead of giving zero", () => {
    const lost: ScoredChapter = { novel: "x", writer: "lost", chapter: 1, words: 10, scores: [3, null] };
    const { rows, unplaced } = leaderboard([...chapters, lost], population, seededRandom(1));
    expect(unplaced).toEqual(["lost"]);
    expect(rows.map((row) => row.writer)).not.toContain("lost");
  });
});
