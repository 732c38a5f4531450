import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { scored } from "../../core/verdict.ts";
import type { Damage } from "./damages.ts";
import { compareVersions, moveInterval, type StressVerdict } from "./stress-test.ts";

const scores = [40, 55, 62, 70, 48, 90];
const texts = ["a", "b", "c", "d", "e", "f"];
const random = () => seededRandom(1);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const width = (interval: readonly [number, number] | null) => interval![1] - interval![0];

describe("the interval of a move", () => {
  it("is nothing wide where the chapters only changed places", () => {
    const order = [3, 0, 5, 1, 4, 2];
    const after = { scores: order.map((at) => scores[at]!), texts: order.map((at) => texts[at]!) };
    const interval = moveInterval({ scores, texts }, after, 0, random())!;
    for (const end of interval) expect(end).toBeCloseTo(0, 10);
  });

  it("is narrower than that of two unrelated books where one chapter was left out or repeated", () => {
    for (const kept of [
      [0, 1, 2, 3, 4],
      [0, 1, 2, 2, 3, 4, 5],
    ]) {
      const after = { scores: kept.map((at) => scores[at]!), texts: kept.map((at) => texts[at]!) };
      const move = mean(after.scores) - mean(scores);
      const interval = moveInterval({ scores, texts }, after, move, random());
      const unrelated = moveInterval({ scores }, { scores: after.scores }, move, random());
      expect(width(interval)).toBeLessThan(0.7 * width(unrelated));
      expect(interval![0]).toBeLessThanOrEqual(move);
      expect(interval![1]).toBeGreaterThanOrEqual(move);
    }
  });
});

describe("a book of two chapters", () => {
  const verdict = (overall: number, parts: readonly number[]): StressVerdict => ({
    aspects: { overall: scored(overall) },
    parts: { overall: parts },
    texts: parts.map(String),
  });
  const damage = (harmless: boolean): Damage => ({ id: "any", name: "any", harmless, apply: (book) => book });

  it("lets no reaction be told, whatever the move, and says why", () => {
    for (const harmless of [true, false]) {
      const rows = compareVersions(
        verdict(60, [58, 62]),
        [50, 60].map((after) => ({ damage: damage(harmless), verdict: verdict(after, [after, after]) })),
        { seed: 1, noise: () => 2 },
      );
      expect(rows.map(({ reaction, move }) => ({ reaction, move }))).toEqual([
        { reaction: "cannot be told", move: -10 },
        { reaction: "cannot be told", move: 0 },
      ]);
      expect(rows[0]!.reason).toContain("fewer than 3 chapters");
    }
  });
});
