import { describe, expect, it } from "vitest";
import { sampleEvaluation, sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { compareEvaluations } from "../routes/evaluations.ts";

function side(bookId: string, changes: Partial<BookEvaluation> = {}) {
  const evaluation = sampleEvaluation(changes);
  const { judge, method, runs, scale, overall, cost } = evaluation;
  const about = { id: `of-${bookId}`, bookId, title: bookId, createdAt: "2026-01-01T00:00:00.000Z" };
  return { evaluation, summary: { ...about, judge, method, runs, scale, overall, cost } };
}

describe("two evaluations side by side", () => {
  it("differ by points of the scale they share, with the interval that both intervals make", () => {
    const left = side("one", { overall: scored(10, [9, 12]) });
    const right = side("two", { overall: scored(14, [13, 16]) });
    const view = compareEvaluations(left, right);
    const [overall] = view.rows;
    expect(view.scale).toEqual({ minimum: 0, maximum: 20 });
    expect(overall!.left).toEqual(left.summary.overall);
    expect(overall!.difference).toBeCloseTo(4);
    // The sides stretch 1 and 2: √(1² + 2²) on either side of a difference of 4.
    expect(overall!.interval![0]).toBeCloseTo(4 - Math.hypot(1, 2));
    expect(overall!.interval![1]).toBeCloseTo(4 + Math.hypot(2, 1));
    expect(overall!.isClear).toBe(true);
    const [reversed] = compareEvaluations(right, left).rows;
    expect(reversed!.difference).toBeCloseTo(-4);
    expect(reversed!.interval![1]).toBeCloseTo(-overall!.interval![0]);
  });

  it("by the embedded jury differ clearly if the difference exceeds the error of both", () => {
    const { jury } = sampleJuryEvaluation();
    const apart = (overall: [number, number]) =>
      compareEvaluations(
        side("one", { overall: scored(10, [8, 12]), ...(jury && { jury }) }),
        side("two", { overall: scored(13.5, overall), ...(jury && { jury }) }),
      ).rows[0]!.isClear;
    // Ranges hold nine of ten texts: halves of 2 and 3 make 1.96 / 1.645 · √(2² + 3²) = 4.3, halves of 2 and 2 make 3.4.
    expect(apart([10.5, 16.5])).toBe(false);
    expect(apart([11.5, 15.5])).toBe(true);
  });

  it("of a scale of 20 and one of 100 are both shown on 0 to 100, with the difference in its points and a note", () => {
    const left = side("one", { overall: scored(10, [9, 12]), scale: { minimum: 0, maximum: 20 } });
    const right = side("one", {
      overall: scored(62, [60, 65]),
      scale: { minimum: 0, maximum: 100 },
      judge: "openai:gpt-4.1",
    });
    const view = compareEvaluations(left, right);
    expect(view).toMatchObject({ isSameBook: true, isSameScale: false, scale: { minimum: 0, maximum: 100 } });
    expect(view.rows[0]).toMatchObject({ left: scored(50, [45, 60]), right: scored(62, [60, 65]), difference: 12 });
    expect(view.rows[1]!.left).toEqual(scored(55, [50, 60]));
    expect(view.rows.every(({ isClear }) => isClear === null)).toBe(true);
    expect(view.notes).toContain("other-scales");
  });

  it.each([
    ["one", {}, ["chance", "independent"]],
    ["one", { judge: "openai:gpt-4.1" }, ["other-judges", "independent"]],
    ["one", { method: "one-pass" }, ["other-methods", "independent"]],
    ["two", {}, ["independent"]],
    ["two", { judge: "openai:gpt-4.1" }, ["other-judges-and-books", "independent"]],
    ["two", { method: "one-pass" }, ["other-methods-and-books", "independent"]],
  ])("say what a difference from book one to book %s with %j may be due to", (book, changes, notes) => {
    expect(compareEvaluations(side("one"), side(book, changes)).notes).toEqual(notes);
  });

  it("have a gap if either has no score: missing is not zero", () => {
    const left = side("one");
    const right = side("two", { overall: unscored("it refused"), aspects: [] });
    const view = compareEvaluations(left, right);
    expect(view.rows.map(({ id }) => id)).toEqual(["overall", "plot", "characters", "writing", "world"]);
    expect(view.rows.every(({ difference }) => difference === null)).toBe(true);
    expect(view.rows[1]!.right).toEqual(unscored("it was not asked for"));
  });
});
