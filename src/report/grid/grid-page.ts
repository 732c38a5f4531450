import type { GridColumn, GridLine, GridPage, GridRow, GridSort } from "../../api/grid.ts";
import { HUNDRED } from "../../core/scale.ts";
import { isScored } from "../../core/verdict.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { OVERALL } from "./evaluation-lines.ts";
import {
  type BookInGrid,
  type GridEvaluation,
  gridBooks,
  type LineOnHundred,
  newestLines,
  scoresIn,
} from "./grid-books.ts";

export const GRID_SORTS = ["disagreement", "cost", "missing", "newest", "title"] as const satisfies readonly GridSort[];

export interface GridFilter {
  /** Stands in the title of the book. */
  readonly search?: string;
  readonly judge?: string;
  readonly method?: string;
  /** Show and sort by this aspect alone. */
  readonly aspect?: string;
  readonly sort: GridSort;
}

/** A sorted grid: what every page of it is cut from. */
export interface SortedGrid extends Omit<GridPage, "from" | "found" | "rows"> {
  readonly books: readonly BookInGrid[];
  /** The number of the row at which each book begins. */
  readonly starts: readonly number[];
}

/** `evaluations` come newest first. */
export function sortGrid(evaluations: Iterable<GridEvaluation>, filter: GridFilter): SortedGrid {
  const all = newestLines(evaluations);
  const aspects = aspectsOf(evaluations);
  const columns = filter.aspect === undefined ? aspects : aspects.filter(({ id }) => id === filter.aspect);
  const wanted = filter.search?.trim().toLowerCase() ?? "";
  const lines = all.filter(
    ({ judge, method }) =>
      (filter.judge === undefined || judge === filter.judge) &&
      (filter.method === undefined || method === filter.method),
  );
  const books = gridBooks(lines, columns)
    .filter(({ book }) => book.title.toLowerCase().includes(wanted))
    .sort(ORDERS[filter.sort]);
  let rows = 0;
  const starts = books.map((one) => {
    const start = rows;
    rows += 1 + one.lines.length;
    return start;
  });
  return {
    scale: HUNDRED,
    columns,
    aspects,
    books,
    starts,
    judges: distinct(all.map(({ judge }) => judge)),
    methods: distinct(all.map(({ method }) => method)),
    totals: { books: books.length, lines: sum(books.map(({ lines: own }) => own.length)), rows },
  };
}

/** Rows `from` to `from + limit` of a sorted grid, and the number of the row that is looked for. */
export function pageOfGrid(
  { books, starts, ...grid }: SortedGrid,
  from: number,
  limit: number,
  find: LinePlace | null = null,
): GridPage {
  const rows: GridRow[] = [];
  const end = Math.min(from + limit, grid.totals.rows);
  for (let at = bookAt(starts, from); at < books.length && starts[at]! < end; at++) {
    const { book, lines } = books[at]!;
    const own = [book, ...lines.map((line) => gridLine(line, lines, grid.columns))];
    rows.push(...own.slice(Math.max(0, from - starts[at]!), end - starts[at]!));
  }
  return { ...grid, from, found: find && rowOf(books, starts, find), rows };
}

export type LinePlace = Pick<GridLine, "evaluationId" | "seat">;

function rowOf(books: readonly BookInGrid[], starts: readonly number[], find: LinePlace): number | null {
  for (const [at, { lines }] of books.entries()) {
    const line = lines.findIndex(({ evaluationId, seat }) => evaluationId === find.evaluationId && seat === find.seat);
    if (line >= 0) return starts[at]! + 1 + line;
  }
  return null;
}

function gridLine(line: LineOnHundred, all: readonly LineOnHundred[], columns: readonly GridColumn[]): GridLine {
  const { verdicts, supports, title: _title, way: _way, ...rest } = line;
  return {
    kind: "line",
    ...rest,
    cells: columns.map(({ id }) => {
      const verdict = verdicts[id];
      return verdict ? { verdict, support: supports[id] ?? null, beyond: beyondOthers(line, all, id) } : null;
    }),
  };
}

function beyondOthers(line: LineOnHundred, all: readonly LineOnHundred[], column: string): number | null {
  const verdict = line.verdicts[column];
  if (!verdict || !isScored(verdict)) return null;
  const scores = scoresIn(all, column);
  return scores.length < 2 ? null : verdict.score - (sum(scores) - verdict.score) / (scores.length - 1);
}

/** The book that holds a row. */
function bookAt(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Overall, then the aspects: those that most judges were asked for first, as the rubric has them. */
function aspectsOf(evaluations: Iterable<GridEvaluation>): GridColumn[] {
  const columns = new Map<string, { readonly name: string; lines: number }>();
  for (const { lines } of evaluations) {
    for (const { cells } of lines) {
      for (const { aspect, name } of cells) {
        const known = columns.get(aspect);
        if (known) known.lines += 1;
        else columns.set(aspect, { name, lines: 1 });
      }
    }
  }
  const asked = ({ id }: GridColumn) => (id === OVERALL ? Number.POSITIVE_INFINITY : columns.get(id)!.lines);
  return [...columns].map(([id, { name }]) => ({ id, name })).sort((left, right) => asked(right) - asked(left));
}

const ORDERS: Readonly<Record<GridSort, (left: BookInGrid, right: BookInGrid) => number>> = {
  disagreement: byMost(({ book }) => book.difference),
  cost: byMost(({ book }) => book.cost),
  missing: byMost(({ book }) => book.missing + book.absent.length),
  newest: (left, right) => right.newest.localeCompare(left.newest) || byTitle(left, right),
  title: byTitle,
};

/** What is not known comes last. */
function byMost(figure: (book: BookInGrid) => number | null): (left: BookInGrid, right: BookInGrid) => number {
  const known = (one: BookInGrid) => figure(one) ?? Number.NEGATIVE_INFINITY;
  return (left, right) => {
    const [mine, other] = [known(left), known(right)];
    return mine === other ? byTitle(left, right) : mine > other ? -1 : 1;
  };
}

function byTitle({ book: left }: BookInGrid, { book: right }: BookInGrid): number {
  return left.title.localeCompare(right.title) || left.bookId.localeCompare(right.bookId);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort((left, right) => left.localeCompare(right));
}
