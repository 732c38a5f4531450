import { describe, expect, it } from "vitest";
import { scored, type Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "./evaluation.ts";
import { combinePanel } from "./panel.ts";

function evaluation(judge: string, overall: Verdict): BookEvaluation {
  return {
    book: { file: "b.txt", title: "B", author: null, language: "en", words: 10, chapters: [], warnings: [] },
    judge,
    method: "summary",
    rubric: { id: "long-story", version: 1 },
    scale: { minimum: 0, maximum: 100 },
    runs: 2,
    overall,
    overallPercentile: null,
    overallCourse: [],
    aspects: [],
    population: null,
    coverage: { words: 10, judgedWords: 10, share: 1, skipped: [] },
    calls: 1,
    cost: 0,
    notes: [],
  };
}

function together(...verdicts: Verdict[]): Verdict {
  return combinePanel(verdicts.map((verdict, at) => evaluation(`judge-${at}`, verdict))).overall;
}

describe("a panel's interval", () => {
  it("is wide when judges that agree are each unsure", () => {
    expect(together(scored(72, [32, 100]), scored(72, [42, 92]))).toEqual({
      kind: "scored",
      score: 72,
      interval: [72 - Math.hypot(40, 30) / 2, 72 + Math.hypot(28, 20) / 2],
    });
  });

  it("is wide when judges that are each sure lie apart", () => {
    const { interval } = together(scored(40, [39, 41]), scored(60, [59, 61])) as { interval: [number, number] };
    expect(interval).toEqual([0, 100]);
  });

  it("is what the judges' distance gives when a judge has none of its own", () => {
    const { interval } = together(scored(50), scored(50, [0, 100])) as { interval: [number, number] };
    expect(interval).toEqual([50, 50]);
  });

  it("is that of the judge who scored, when only one did", () => {
    expect(together(scored(70, [60, 80]), { kind: "unscored", reason: "it did not fit" })).toEqual(
      scored(70, [60, 80]),
    );
  });
});
