import { beforeAll, describe, expect, it } from "vitest";
import { loadRubric } from "../criteria/load-rubric.ts";
import { buildEvaluation } from "../judge/build-evaluation.ts";
import type { JudgeReply } from "../judge/judge-reply.ts";
import { type JudgeInstructions, selectCriteria } from "../judge/material.ts";
import { combineSegments } from "../judge/methods/registry.ts";
import type { Book } from "../text/book.ts";
import { segmentBook } from "../text/segments.ts";
import { evaluationView } from "./evaluation-view.ts";
import { htmlReport } from "./html-report.ts";
import { markdownReport } from "./markdown-report.ts";
import { terminalReport } from "./terminal-report.ts";

const CHAPTERS = 12;
const WORDS = 500;
const book: Book = {
  title: "The Salt Ledger",
  author: null,
  language: "en",
  genres: [],
  premise: null,
  chapters: Array.from({ length: CHAPTERS }, (_, at) => ({
    index: at + 1,
    title: null,
    text: "The ledger was damp. ".repeat(WORDS / 4),
    words: WORDS,
  })),
  words: CHAPTERS * WORDS,
  removed: [],
  warnings: [],
  source: { file: "ledger.md", format: "markdown", encoding: "utf-8", bytes: 1, sha256: "0" },
};
const segments = segmentBook(book, { size: 300, maximum: 700 });

let instructions: JudgeInstructions;
beforeAll(async () => {
  const rubric = await loadRubric("long-story");
  const criteria = selectCriteria(rubric, ["plot", "themes", "plot-ending", "character-diversity"]);
  instructions = { rubric, criteria, definitions: true, language: "en", temperature: 0 };
});

/** Two runs with the same result; a missing score is null. */
function evaluate(overall: (segment: number) => number | null, themes: (segment: number) => number | null) {
  const aspect = (score: number | null) => ({ strengths: [], weaknesses: [], score });
  const answers = segments.map(({ index }) => {
    const value: JudgeReply = {
      aspects: {
        plot: aspect(40 + index),
        themes: aspect(themes(index)),
        "plot-ending": aspect(61),
        "character-diversity": aspect(73),
      },
      assessment: "Damp.",
      overall: overall(index),
    };
    return { kind: "answered", value, attempts: [] } as const;
  });
  const outcome = combineSegments(instructions, segments, answers);
  const outcomes = [outcome, outcome];
  return buildEvaluation({
    book,
    judge: "j",
    method: "aggregate",
    instructions,
    outcomes,
    suspicions: [],
    calls: 1,
    cost: 0,
  });
}

describe("an average over segments", () => {
  it("is unscored when most segments have no score, and says how many have one", async () => {
    expect(segments).toHaveLength(CHAPTERS);
    const evaluation = await evaluate(
      (segment) => (segment === 3 ? 51 : null),
      (segment) => (segment === 1 ? 70 : null),
    );
    expect(evaluation.overall).toEqual({
      kind: "unscored",
      reason: "only 1 of 12 segments were given a score (the judge gave no score)",
    });
    expect(evaluation.support).toEqual({ scored: 1, segments: 12 });
    const themes = evaluation.aspects.find(({ id }) => id === "themes")!;
    expect([themes.verdict.kind, themes.support]).toEqual(["unscored", { scored: 1, segments: 12 }]);
  });

  it("stands where one segment of twelve has no score, and every report says so", async () => {
    const evaluation = await evaluate(
      (segment) => 50 + segment,
      (segment) => (segment === 1 ? null : 60),
    );
    expect(evaluation.overall).toMatchObject({ kind: "scored", score: 56.5 });
    const view = evaluationView(evaluation);
    for (const report of [
      terminalReport(view, { colours: false, width: 120 }),
      markdownReport(view),
      await htmlReport(view),
    ]) {
      expect(report).toMatch(/Themes.*11 of 12 segments/);
      expect(report).toMatch(/Plot.*12 of 12 segments/);
      expect(report).toContain("6,000 in full");
    }
  });

  it("of which no call was answered does not claim that nothing was spent", async () => {
    const evaluation = await evaluate(
      () => null,
      () => null,
    );
    const report = markdownReport(evaluationView({ ...evaluation, calls: 0 }));
    expect(report).toContain("no call was answered");
    expect(report).not.toContain("nothing was spent");
  });

  it("has an interval that holds the spread of its segments, however often the judge repeats itself", async () => {
    const wide = (await evaluate(
      (segment) => (segment % 2 === 0 ? 40 : 60),
      () => 60,
    )) as { overall: { interval: [number, number] } };
    // Student's t for 11 degrees of freedom, 2.201, times the standard deviation of the twelve scores over √12.
    const half = (2.201 * Math.sqrt((12 * 100) / 11)) / Math.sqrt(12);
    expect(wide.overall.interval[0]).toBeCloseTo(50 - half, 2);
    expect(wide.overall.interval[1]).toBeCloseTo(50 + half, 2);
  });
});

it("sub-aspects stand under their aspect, or name it where it was not asked for, in every report", async () => {
  const view = evaluationView(
    await evaluate(
      () => 50,
      () => 60,
    ),
  );
  expect(view.aspects.map(({ result, isPart }) => [result.id, isPart])).toEqual([
    ["plot", false],
    ["plot-ending", true],
    ["themes", false],
    ["character-diversity", false],
  ]);
  for (const report of [
    terminalReport(view, { colours: false, width: 120 }),
    markdownReport(view),
    await htmlReport(view),
  ]) {
    expect(report).toMatch(/Ending.*61\.0/);
    expect(report).toMatch(/Characters: .*73\.0/);
  }
});
