import { describe, expect, it } from "vitest";
import { sampleEvaluation, sampleJuryEvaluation } from "../../test/fixtures/sample-evaluation.ts";
import type { GridBook, GridLine } from "../api/grid.ts";
import { scored, unscored, type Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { combinePanel } from "../judge/panel.ts";
import { cellDetails, evaluationLines, type GridEvaluation, type GridFilter, pageOfGrid, sortGrid } from "./grid.ts";

const HUNDRED = { minimum: 0, maximum: 100 };
let count = 0;

function judged(judge: string, verdicts: Readonly<Record<string, Verdict>>, scale = HUNDRED): BookEvaluation {
  const [first] = sampleEvaluation().aspects;
  const aspects = Object.entries(verdicts).map(([id, verdict]) => ({ ...first!, id, name: id, verdict }));
  return sampleEvaluation({ judge, scale, overall: scored(50), aspects, cost: 0.5, calls: 3 });
}

function shelved(bookId: string, evaluation: BookEvaluation): GridEvaluation {
  count += 1;
  return {
    id: `evaluation-${count}`,
    bookId,
    title: `Book ${bookId}`,
    method: evaluation.method,
    createdAt: new Date(count * 1000).toISOString(),
    cost: evaluation.cost,
    lines: evaluationLines(evaluation),
  };
}

/** Newest first, in the library's order. */
function gridOf(evaluations: readonly GridEvaluation[], filter: Partial<GridFilter> = {}) {
  return sortGrid([...evaluations].reverse(), { sort: "title", ...filter });
}

function rowsOf(evaluations: readonly GridEvaluation[], filter: Partial<GridFilter> = {}) {
  const { rows } = pageOfGrid(gridOf(evaluations, filter), 0, 1000);
  return {
    books: rows.filter((row): row is GridBook => row.kind === "book"),
    lines: rows.filter((row): row is GridLine => row.kind === "line"),
  };
}

describe("the grid", () => {
  it("shows every judge on one stated scale, whatever it was asked in", () => {
    const evaluations = [
      shelved("a", judged("strict", { plot: scored(8, [6, 10]) }, { minimum: 0, maximum: 20 })),
      shelved("a", judged("lenient", { plot: scored(90) })),
    ];
    const { scale, columns } = gridOf(evaluations);
    expect(scale).toEqual(HUNDRED);
    const plot = columns.findIndex(({ id }) => id === "plot");
    const { lines, books } = rowsOf(evaluations);
    expect(lines.map(({ judge, cells }) => [judge, cells[plot]!.verdict])).toEqual([
      ["lenient", scored(90)],
      ["strict", scored(40, [30, 50])],
    ]);
    expect(lines.map(({ cells }) => cells[plot]!.beyond)).toEqual([50, -50]);
    expect(books[0]).toMatchObject({ difference: 50, widest: { column: "overall", range: 200 } });
  });

  it("says how far the judges of a panel are apart as the panel's report does", () => {
    const panel = combinePanel([
      judged("one", { plot: scored(60), characters: scored(70) }),
      judged("two", { plot: scored(75), characters: scored(65) }),
      judged("three", { plot: unscored("it refused"), characters: scored(80) }),
    ]);
    const { books, lines } = rowsOf([shelved("a", panel)]);
    expect(lines.map(({ judge, member }) => [member, judge])).toEqual([
      [0, "one"],
      [2, "three"],
      [1, "two"],
    ]);
    expect(books[0]!.difference).toBe(panel.panel!.difference);
    expect(books[0]).toMatchObject({ missing: 1, cost: 1.5 });
  });

  it("shows the jurors of the embedded jury apart, each moved from its own scale", () => {
    const { lines } = rowsOf([shelved("a", sampleJuryEvaluation())]);
    const overall = lines.map(({ judge, cells: [cell] }) => [judge, cell!.verdict]);
    expect(overall).toEqual([
      ["crowd", scored(31.4, [8.2, 39.9])],
      ["editor", expect.objectContaining({ score: expect.closeTo(77) })],
      ["grader", expect.objectContaining({ score: expect.closeTo(63) })],
    ]);
  });

  it("shows the newest of several evaluations by the same judge and method, and how many are older", () => {
    const { lines } = rowsOf([
      shelved("a", judged("one", { plot: scored(10) })),
      shelved("a", judged("one", { plot: scored(20) })),
      shelved("a", { ...judged("one", { plot: scored(30) }), method: "one-pass" }),
    ]);
    const plots = lines.map(({ method, earlier, cells }) => [method, earlier, cells[1]!.verdict]);
    expect(plots).toEqual([
      ["aggregate", 1, scored(20)],
      ["one-pass", 0, scored(30)],
    ]);
  });

  it("tells an aspect without a score from one that was not asked for, and both from a judge that is missing", () => {
    const { books, lines } = rowsOf([
      shelved("a", judged("one", { plot: unscored("it refused"), world: scored(4) })),
      shelved("b", judged("one", { plot: scored(4) })),
      shelved("b", judged("two", { plot: scored(5) })),
    ]);
    expect(books.map(({ missing, absent }) => [missing, absent])).toEqual([
      [1, [{ judge: "two", method: "aggregate" }]],
      [0, []],
    ]);
    expect(lines.map(({ cells }) => cells.map((cell) => cell?.verdict.kind ?? null))).toEqual([
      ["scored", "unscored", "scored"],
      ["scored", "scored", null],
      ["scored", "scored", null],
    ]);
  });

  const library = [
    shelved("a", judged("one", { plot: scored(50), world: scored(10) })),
    shelved("a", judged("two", { plot: scored(52), world: scored(90) })),
    shelved("b", { ...judged("one", { plot: scored(20), world: unscored("cut off") }), cost: 7 }),
    shelved("b", judged("two", { plot: scored(40), world: scored(9) })),
    shelved("c", { ...judged("one", { plot: scored(20) }), cost: null }),
  ];
  it.each([
    ["disagreement", {}, ["a", "b", "c"]],
    ["disagreement", { aspect: "plot" }, ["b", "a", "c"]],
    ["cost", {}, ["b", "a", "c"]],
    ["missing", {}, ["b", "c", "a"]],
    ["newest", {}, ["c", "b", "a"]],
    ["title", { search: "BOOK b" }, ["b"]],
    ["title", { judge: "two" }, ["a", "b"]],
    ["title", { method: "summary" }, []],
  ] as const)(
    "sorted by %s with %j begins with what matters most; what is not known comes last",
    (sort, filter, ids) => {
      expect(rowsOf(library, { sort, ...filter }).books.map(({ bookId }) => bookId)).toEqual(ids);
    },
  );

  it("gives any part of itself, and the parts make the whole", () => {
    const grid = gridOf(library);
    const whole = pageOfGrid(grid, 0, 1000).rows;
    expect(whole).toHaveLength(grid.totals.rows);
    for (let from = 0; from <= whole.length; from++) {
      for (const limit of [1, 2, 5])
        expect(pageOfGrid(grid, from, limit).rows).toEqual(whole.slice(from, from + limit));
    }
    expect(pageOfGrid(gridOf([]), 0, 10).rows).toEqual([]);
  });
});

describe("a cell of the grid", () => {
  const about = { id: "of-it", bookId: "a", title: "A", createdAt: "2026-01-01T00:00:00.000Z" };

  it("holds the score on the grid's scale and as it was given, with what was said and where", () => {
    const cell = cellDetails(about, sampleEvaluation(), { member: 0, aspect: "plot" })!;
    expect(cell.verdict).toEqual(scored(55, [50, 60]));
    expect(cell.given).toEqual({ verdict: scored(11, [10, 12]), scale: { minimum: 0, maximum: 20 } });
    expect(cell.percentile).toEqual({ value: 40, size: 5, description: "made-up novels" });
    expect(cell.remarks!.evidence.map(({ found }) => found)).toEqual([true, false]);
    expect(cell.remarks!.isOfPanel).toBe(false);
  });

  it("leaves open what was not stored instead of guessing it", () => {
    const cell = cellDetails(about, sampleEvaluation(), { member: 0, aspect: "overall" })!;
    expect(cell).toMatchObject({ scores: null, remarks: null, settings: null, runId: null, support: null });
    expect(cellDetails(about, sampleEvaluation(), { member: 1, aspect: "plot" })).toBeNull();
    expect(cellDetails(about, sampleEvaluation(), { member: 0, aspect: "nothing" })).toBeNull();
  });
});
