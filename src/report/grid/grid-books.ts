import type { GridBook, GridCell, GridColumn, GridLine } from "../../api/grid.ts";
import { addCosts, type Cost } from "../../core/cost.ts";
import { groupBy } from "../../core/group-by.ts";
import { HUNDRED, rescaleVerdict } from "../../core/scale.ts";
import { isScored } from "../../core/verdict.ts";
import { type AspectVerdicts, meanDifference } from "../../judge/judge-difference.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { type EvaluationLine, OVERALL } from "./evaluation-lines.ts";

/** An evaluation as the grid knows it. */
export interface GridEvaluation extends Cost {
  readonly id: string;
  readonly bookId: string;
  readonly title: string;
  readonly method: string;
  readonly createdAt: string;
  readonly lines: readonly EvaluationLine[];
}

/** One line with its verdicts by aspect, all on 0 to 100. */
export interface LineOnHundred extends Omit<GridLine, "cells" | "kind"> {
  readonly title: string;
  /** Judge and method as one word: what a line is told from the other lines of its book by. */
  readonly way: string;
  readonly verdicts: AspectVerdicts;
  readonly supports: Readonly<Record<string, GridCell["support"]>>;
}

export interface BookInGrid {
  readonly book: GridBook;
  readonly lines: readonly LineOnHundred[];
  readonly newest: string;
}

/** The newest evaluation of every book, judge and method. `evaluations` come newest first. */
export function newestLines(evaluations: Iterable<GridEvaluation>): LineOnHundred[] {
  const newest = new Map<string, LineOnHundred>();
  for (const evaluation of evaluations) {
    for (const [seat, line] of evaluation.lines.entries()) {
      const key = `${evaluation.bookId}\n${wayOf(line.judge, evaluation.method)}`;
      const known = newest.get(key);
      newest.set(key, known ? { ...known, earlier: known.earlier + 1 } : onHundred(evaluation, line, seat));
    }
  }
  return [...newest.values()];
}

/** A line never changes, and is sorted again and again: it is converted once. */
const converted = new WeakMap<EvaluationLine, Pick<LineOnHundred, "verdicts" | "supports">>();

function onHundred(evaluation: GridEvaluation, line: EvaluationLine, seat: number): LineOnHundred {
  const { id, bookId, title, method, createdAt, cost, unpricedCalls = 0 } = evaluation;
  const { judge, runs, scale, cells } = line;
  const known = converted.get(line) ?? {
    verdicts: Object.fromEntries(cells.map(({ aspect, verdict }) => [aspect, rescaleVerdict(verdict, scale, HUNDRED)])),
    supports: Object.fromEntries(cells.map(({ aspect, support }) => [aspect, support])),
  };
  converted.set(line, known);
  return {
    bookId,
    title,
    evaluationId: id,
    seat,
    judge,
    method,
    runs,
    earlier: 0,
    createdAt,
    cost,
    unpricedCalls,
    way: wayOf(judge, method),
    verdicts: known.verdicts,
    supports: known.supports,
  };
}

function wayOf(judge: string, method: string): string {
  return `${judge}\n${method}`;
}

/** Lines put together by book, with how far the judges are apart in these columns, what it cost and what is missing. */
export function gridBooks(lines: readonly LineOnHundred[], columns: readonly GridColumn[]): BookInGrid[] {
  const ways = [...new Map(lines.map(({ way, judge, method }) => [way, { judge, method }]))];
  return [...groupBy(lines, ({ bookId }) => bookId).values()].map((together) => {
    const own = together.toSorted((left, right) => (left.way < right.way ? -1 : 1));
    const known = new Set(own.map(({ way }) => way));
    const { bookId, title } = own[0]!;
    const book: GridBook = {
      kind: "book",
      bookId,
      title,
      lines: own.length,
      difference: differenceIn(own, columns),
      widest: widestIn(own, columns),
      missing: sum(own.map(({ verdicts }) => columns.filter(({ id }) => verdicts[id]?.kind === "unscored").length)),
      absent: ways.flatMap(([way, named]) => (known.has(way) ? [] : [named])),
      ...addCosts(oncePerEvaluation(own)),
    };
    return { book, lines: own, newest: own.map(({ createdAt }) => createdAt).reduce((a, b) => (a > b ? a : b)) };
  });
}

/** As a panel's report counts it: over the aspects. The overall score counts where no aspect was scored twice. */
function differenceIn(lines: readonly LineOnHundred[], columns: readonly GridColumn[]): number | null {
  const judges = lines.map(({ verdicts }) => verdicts);
  const ids = columns.map(({ id }) => id);
  return (
    meanDifference(
      judges,
      ids.filter((id) => id !== OVERALL),
    ) ?? meanDifference(judges, ids)
  );
}

function widestIn(lines: readonly LineOnHundred[], columns: readonly GridColumn[]): GridBook["widest"] {
  let widest: GridBook["widest"] = null;
  for (const { id } of columns) {
    const scores = scoresIn(lines, id);
    if (scores.length < 2) continue;
    const range = Math.max(...scores) - Math.min(...scores);
    if (widest === null || range > widest.range) widest = { column: id, range };
  }
  return widest;
}

export function scoresIn(lines: readonly LineOnHundred[], column: string): number[] {
  return lines.flatMap(({ verdicts }) => {
    const verdict = verdicts[column];
    return verdict && isScored(verdict) ? [verdict.score] : [];
  });
}

/** The judges of a panel share one bill. */
function oncePerEvaluation(lines: readonly LineOnHundred[]): LineOnHundred[] {
  return [...new Map(lines.map((line) => [line.evaluationId, line])).values()];
}
