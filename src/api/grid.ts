import type { Cost } from "../core/cost.ts";
import type { Scale, Verdict } from "../core/verdict.ts";

export type GridSort = "disagreement" | "cost" | "missing" | "newest" | "title";

/**
 * GET /api/grid?search=&judge=&method=&aspect=&sort=&from=&limit=&find= → GridPage: books × judges × methods, a cell per aspect.
 * Rows are numbered from 0 in the order of the sort, so that any part of a long grid can be asked for.
 */
export interface GridPage {
  /** The scale of every score, range and difference in the grid. */
  readonly scale: Scale;
  /** `overall` first. The cells of a line are in this order. */
  readonly columns: readonly GridColumn[];
  /** The possible values of the filters. */
  readonly judges: readonly string[];
  readonly methods: readonly string[];
  readonly aspects: readonly GridColumn[];
  readonly totals: { readonly books: number; readonly lines: number; readonly rows: number };
  /** The number of the first row here. */
  readonly from: number;
  /** The number of the row that `find=EVALUATION:MEMBER` names; null if the filtered grid does not contain it. */
  readonly found: number | null;
  readonly rows: readonly GridRow[];
}

export interface GridColumn {
  readonly id: string;
  readonly name: string;
}

export type GridRow = GridBook | GridLine;

/** A book above its lines, with the values it is sorted by. */
export interface GridBook extends Cost {
  readonly kind: "book";
  readonly bookId: string;
  readonly title: string;
  readonly lines: number;
  /** Mean absolute difference between its judges over the aspects; null if no two scored the same aspect. */
  readonly difference: number | null;
  /** The column in which the judges differ most, and the difference between the highest and the lowest. */
  readonly widest: { readonly column: string; readonly range: number } | null;
  /** Cells that were requested and have no score. */
  readonly missing: number;
  /** Judges with their methods that judged other books of the grid but not this one. */
  readonly absent: readonly { readonly judge: string; readonly method: string }[];
}

/** The newest evaluation of one book by one judge and method. */
export interface GridLine extends Cost {
  readonly kind: "line";
  readonly bookId: string;
  readonly evaluationId: string;
  /** Which judge of the evaluation, from 0: a panel and the jury have several. */
  readonly member: number;
  readonly judge: string;
  readonly method: string;
  readonly runs: number;
  /** Older evaluations of the same kind, which are not shown. */
  readonly earlier: number;
  readonly createdAt: string;
  /** Null if the aspect was not requested. */
  readonly cells: readonly (GridCell | null)[];
}

export interface GridCell {
  readonly verdict: Verdict;
  /** How many segments the score averages; null if segments have no scores of their own, or if this was not stored. */
  readonly support: { readonly scored: number; readonly segments: number } | null;
  /** The score minus the mean of the book's other judges; null if there are none. */
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
  /** Names of texts that are not books of the library; they are in the grid under these names. */
  readonly elsewhere: readonly string[];
  /** Votes that were added: from votes, or from ratings of books that two or more judges disagree on. */
  readonly votes: number;
  /** Ratings or votes on which no two judges of the grid disagree. */
  readonly unused: number;
}
