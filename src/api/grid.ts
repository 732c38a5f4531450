import type { Cost } from "../core/cost.ts";
import type { Scale, Verdict } from "../core/verdict.ts";

export type GridSort = "disagreement" | "cost" | "missing" | "newest" | "title";

/**
 * GET /api/grid?search=&judge=&method=&aspect=&sort=&from=&limit=&find= → GridPage: books × judges × methods, a cell per aspect.
 * Rows are numbered from 0 in the order of the sort, so that any part of a long grid can be asked for.
 */
export interface GridPage {
  /** Of every score, range and difference in the grid. */
  readonly scale: Scale;
  /** `overall` first. Cells of a line stand in this order. */
  readonly columns: readonly GridColumn[];
  /** What the filters can be set to. */
  readonly judges: readonly string[];
  readonly methods: readonly string[];
  readonly aspects: readonly GridColumn[];
  readonly totals: { readonly books: number; readonly lines: number; readonly rows: number };
  /** The number of the first row here. */
  readonly from: number;
  /** The number of the row that `find=EVALUATION:MEMBER` names; null when it is not in the grid as filtered. */
  readonly found: number | null;
  readonly rows: readonly GridRow[];
}

export interface GridColumn {
  readonly id: string;
  readonly name: string;
}

export type GridRow = GridBook | GridLine;

/** A book above its lines, with what sorts it. */
export interface GridBook extends Cost {
  readonly kind: "book";
  readonly bookId: string;
  readonly title: string;
  readonly lines: number;
  /** Mean absolute difference between its judges over the aspects; null where no two scored the same aspect. */
  readonly difference: number | null;
  /** The column in which the judges are furthest apart, and how far the highest is from the lowest. */
  readonly widest: { readonly column: string; readonly range: number } | null;
  /** Cells that were asked for and have no score. */
  readonly missing: number;
  /** Judges with their methods that judged other books of the grid and not this one. */
  readonly absent: readonly { readonly judge: string; readonly method: string }[];
}

/** One judge on one book by one method: the newest evaluation there is. */
export interface GridLine extends Cost {
  readonly kind: "line";
  readonly bookId: string;
  readonly evaluationId: string;
  /** Which judge of the evaluation, from 0: a panel and the jury have several. */
  readonly member: number;
  readonly judge: string;
  readonly method: string;
  readonly runs: number;
  /** Older evaluations of the same kind, not shown. */
  readonly earlier: number;
  readonly createdAt: string;
  /** Null where the aspect was not asked for. */
  readonly cells: readonly (GridCell | null)[];
}

export interface GridCell {
  readonly verdict: Verdict;
  /** Of how many segments the score is the average; null where segments have no scores of their own or it was not stored. */
  readonly support: { readonly scored: number; readonly segments: number } | null;
  /** The score less the mean of the other judges of the book; null where there are none. */
  readonly beyond: number | null;
}

/**
 * POST /api/grid/import (a form: a file with verdicts, ratings or votes made elsewhere; judgeScale and peopleScale as "0,100"; human, judge, rater
 * and id name columns) → ImportAnswer. GET /api/grid/export?format= → a file that `fabula trust` and this import read.
 */
export interface ImportAnswer {
  /** Evaluations added to the grid. */
  readonly verdicts: number;
  readonly judges: readonly string[];
  /** Texts that are no book of the library, by name: they stand in the grid under it. */
  readonly elsewhere: readonly string[];
  /** Votes that were added: from votes, or from ratings of books that two or more judges disagree on. */
  readonly votes: number;
  /** Ratings or votes that no two judges of the grid disagree on. */
  readonly unused: number;
}
