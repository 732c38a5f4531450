import { expect, it } from "vitest";
import type { ScoreRow } from "../../bench/bench-folder.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { unscoredChapters } from "./scoring.ts";

it("counts a chapter that both judges of a panel left unscored once", () => {
  const row = (judge: string, chapter: number, isMissing: boolean): ScoreRow => ({
    novel: "n",
    writer: "w",
    chapter,
    judge,
    words: 100,
    repeat: 0,
    scores: { plot: isMissing ? unscored("it refused") : scored(3) },
  });
  const rows = [row("a", 1, true), row("b", 1, true), row("a", 2, false), row("b", 2, true), row("a", 3, false)];
  expect(unscoredChapters(rows)).toBe(2);
});
