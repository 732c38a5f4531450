import { describe, expect, it } from "vitest";
import { scored, type Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "./evaluation.ts";
import { combinePanel } from "./panel.ts";

function evaluation(judge: string, overall: Verdict, over: Partial<BookEvaluation> = {}): BookEvaluation {
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
    ...over,
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

  it("is none when a judge has none of its own and the judges happen to agree", () => {
    const { interval } = together(scored(50), scored(50, [0, 100])) as { interval: [number, number] };
    expect(interval).toBeUndefined();
  });

  it("is that of the judge who scored, when only one did", () => {
    expect(together(scored(70, [60, 80]), { kind: "unscored", reason: "it did not fit" })).toEqual(
      scored(70, [60, 80]),
    );
  });
});

describe("a panel keeps", () => {
  const entry = { segment: 1, chapters: [1], words: 10, reason: null, runs: 3 };
  const course = (score: number) => [{ chapter: 1, verdict: scored(score) }];
  const first = evaluation("a", scored(60), {
    runs: 3,
    repeats: { scores: [59, 60, 61], standardDeviation: 1, unscored: 0 },
    ledger: [{ ...entry, seenAs: "text" }],
    overallCourse: course(50),
  });
  const reason = "it does not fit";
  const second = evaluation("b", scored(70), {
    runs: 5,
    repeats: { scores: [70, 70, 70, 70, 70], standardDeviation: 0, unscored: 0 },
    coverage: { words: 10, judgedWords: 0, share: 0, skipped: [{ chapter: 1, reason }] },
    ledger: [{ ...entry, seenAs: "nothing", reason, runs: 0 }],
    overallCourse: course(60),
  });
  const panel = combinePanel([first, second]);

  it("every judge's runs, coverage and ledger", () => {
    expect(panel.panel!.judges.map(({ runs }) => runs)).toEqual([3, 5]);
    expect(panel.panel!.judges.map(({ repeats }) => repeats!.scores.length)).toEqual([3, 5]);
    expect(panel.panel!.judges.map(({ coverage }) => coverage!.share)).toEqual([1, 0]);
    expect(panel.panel!.judges.map(({ ledger }) => ledger![0]!.seenAs)).toEqual(["text", "nothing"]);
  });

  it("no repeats of one judge as if they were its own, and says who missed what", () => {
    expect(panel.repeats).toBeUndefined();
    expect(panel.coverage).toMatchObject({ share: 0, skipped: [{ chapter: 1, reason: "b: it does not fit" }] });
    expect(panel.ledger).toMatchObject([{ seenAs: "text", reason: "b: it does not fit", runs: 3 }]);
    expect(panel.overallCourse).toEqual(course(55));
  });
});
