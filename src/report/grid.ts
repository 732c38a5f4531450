import { z } from "zod";
import type { CellDetails, CellRemarks } from "../api/cells.ts";
import type { GridBook, GridCell, GridColumn, GridLine, GridPage, GridRow, GridSort } from "../api/grid.ts";
import { addCosts, type Cost, costFields } from "../core/cost.ts";
import { groupBy } from "../core/group-by.ts";
import { HUNDRED, isScored, rescale, rescaleVerdict, verdictSchema } from "../core/verdict.ts";
import type { AspectResult, BookEvaluation } from "../judge/evaluation.ts";
import { type AspectVerdicts, meanDifference } from "../judge/panel.ts";
import { sum } from "../stats/distribution.ts";

const cellSchema = z.object({
  aspect: z.string(),
  name: z.string(),
  verdict: verdictSchema,
  support: z.object({ scored: z.number(), segments: z.number() }).nullable(),
});

/** What one judge said of a book, on the scale it was asked in: small enough to be held for every evaluation of a library. */
export const evaluationLineSchema = z.object({
  judge: z.string(),
  runs: z.number().int(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  /** `overall` first, then the aspects that are not part of another one. */
  cells: z.array(cellSchema),
});

export type EvaluationLine = z.infer<typeof evaluationLineSchema>;
export type EvaluationCell = z.infer<typeof cellSchema>;

export const OVERALL = "overall";

/** An evaluation as lines of the grid: one for each judge, whether alone, on a panel or in the embedded jury. */
export function evaluationLines(evaluation: BookEvaluation): EvaluationLine[] {
  const { judge, runs, scale, panel, jury } = evaluation;
  const aspects = wholeAspects(evaluation.aspects);
  if (panel) {
    return panel.judges.map((member) => ({
      judge: member.judge,
      runs: member.runs ?? runs,
      scale,
      cells: [
        cell(OVERALL, "Overall", member.overall),
        ...aspects.flatMap(({ id, name }) => {
          const verdict = member.aspects[id];
          return verdict ? [cell(id, name, verdict)] : [];
        }),
      ],
    }));
  }
  const judged = aspects.map(({ id, name, verdict, support }) => cell(id, name, verdict, support));
  if (jury) {
    return jury.jurors.map((juror) => ({
      judge: juror.id,
      runs,
      scale: juror.scale,
      cells: [cell(OVERALL, "Overall", juror.overall), ...judged],
    }));
  }
  return [{ judge, runs, scale, cells: [cell(OVERALL, "Overall", evaluation.overall, evaluation.support), ...judged] }];
}

/** Parts of an aspect are only in the report, but if the whole was not requested, they have cells of their own. */
function wholeAspects(aspects: readonly AspectResult[]): AspectResult[] {
  const asked = new Set(aspects.map(({ id }) => id));
  return aspects.filter(({ parent }) => parent === undefined || !asked.has(parent));
}

function cell(
  aspect: string,
  name: string,
  verdict: EvaluationCell["verdict"],
  support?: AspectResult["support"],
): EvaluationCell {
  return { aspect, name, verdict, support: support ?? null };
}

export interface CellPlace {
  /** Index of the judge in the evaluation, from 0. */
  readonly member: number;
  readonly aspect: string;
}

/** What an evaluation holds of one cell; null when it has no such cell. */
export function cellDetails(
  { id, bookId, title, createdAt }: { id: string; bookId: string; title: string; createdAt: string },
  evaluation: BookEvaluation,
  { member, aspect }: CellPlace,
): CellDetails | null {
  const line = evaluationLines(evaluation)[member];
  const cell = line?.cells.find((candidate) => candidate.aspect === aspect);
  if (!line || !cell) return null;
  const scores = scoresOf(evaluation, { member, aspect });
  return {
    evaluationId: id,
    member,
    aspect: { id: aspect, name: cell.name },
    bookId,
    title,
    createdAt,
    language: evaluation.book.language,
    chapters: evaluation.book.chapters.map(({ index, title }) => ({ index, title })),
    judge: line.judge,
    method: evaluation.method,
    runs: line.runs,
    support: cell.support,
    scale: HUNDRED,
    verdict: rescaleVerdict(cell.verdict, line.scale, HUNDRED),
    given: { verdict: cell.verdict, scale: line.scale },
    scores: scores?.map((score) => rescale(score, line.scale, HUNDRED)) ?? null,
    percentile: percentileOf(evaluation, aspect),
    remarks: remarksOn(evaluation, aspect),
    settings: evaluation.settings ?? null,
    calls: evaluation.calls,
    ...costFields(evaluation),
    runId: evaluation.run ?? null,
  };
}

function scoresOf(
  { panel, repeats, aspects }: BookEvaluation,
  { member, aspect }: CellPlace,
): readonly number[] | null {
  if (panel) return (aspect === OVERALL && panel.judges[member]?.repeats?.scores) || null;
  const own = aspect === OVERALL ? repeats : aspects.find(({ id }) => id === aspect)?.repeats;
  return own?.scores ?? null;
}

/** A panel has a single percentile; its judges have none of their own. */
function percentileOf(evaluation: BookEvaluation, aspect: string): CellDetails["percentile"] {
  const { population, panel, overallPercentile, aspects } = evaluation;
  const value = aspect === OVERALL ? overallPercentile : aspects.find(({ id }) => id === aspect)?.percentile;
  if (!population || panel || value === null || value === undefined) return null;
  return { value, size: population.size, description: population.description };
}

function remarksOn({ panel, aspects }: BookEvaluation, aspect: string): CellRemarks | null {
  const said = aspects.find(({ id }) => id === aspect);
  if (!said) return null;
  const { strengths, weaknesses, evidence } = said;
  return { isOfPanel: panel !== undefined, strengths, weaknesses, evidence };
}

/** An evaluation, as needed for the grid. */
export interface GridEvaluation extends Cost {
  readonly id: string;
  readonly bookId: string;
  readonly title: string;
  readonly method: string;
  readonly createdAt: string;
  readonly lines: readonly EvaluationLine[];
}

/** One line with its verdicts by aspect, all converted to 0 to 100. */
export interface NormalisedLine extends Omit<GridLine, "cells" | "kind"> {
  readonly title: string;
  /** Judge and method as one string, which distinguishes the lines of a book. */
  readonly way: string;
  readonly verdicts: AspectVerdicts;
  readonly supports: Readonly<Record<string, GridCell["support"]>>;
}

export interface BookInGrid {
  readonly book: GridBook;
  readonly lines: readonly NormalisedLine[];
  readonly newest: string;
}

/** The newest evaluation for every book, judge and method. `evaluations` come newest first. */
export function newestLines(evaluations: Iterable<GridEvaluation>): NormalisedLine[] {
  const newest = new Map<string, NormalisedLine>();
  for (const evaluation of evaluations) {
    for (const [member, line] of evaluation.lines.entries()) {
      const key = `${evaluation.bookId}\n${wayOf(line.judge, evaluation.method)}`;
      const known = newest.get(key);
      newest.set(key, known ? { ...known, earlier: known.earlier + 1 } : onHundred(evaluation, line, member));
    }
  }
  return [...newest.values()];
}

/** A line never changes and is sorted repeatedly, so it is converted once. */
const converted = new WeakMap<EvaluationLine, Pick<NormalisedLine, "verdicts" | "supports">>();

function onHundred(evaluation: GridEvaluation, line: EvaluationLine, member: number): NormalisedLine {
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
    member,
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

/** Groups lines by book, with the disagreement of the judges in these columns, the cost and what is missing. */
export function gridBooks(lines: readonly NormalisedLine[], columns: readonly GridColumn[]): BookInGrid[] {
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

/** As in a panel's report: over the aspects. The overall score is used if no aspect was scored twice. */
function differenceIn(lines: readonly NormalisedLine[], columns: readonly GridColumn[]): number | null {
  const judges = lines.map(({ verdicts }) => verdicts);
  const ids = columns.map(({ id }) => id);
  return (
    meanDifference(
      judges,
      ids.filter((id) => id !== OVERALL),
    ) ?? meanDifference(judges, ids)
  );
}

function widestIn(lines: readonly NormalisedLine[], columns: readonly GridColumn[]): GridBook["widest"] {
  let widest: GridBook["widest"] = null;
  for (const { id } of columns) {
    const scores = scoresIn(lines, id);
    if (scores.length < 2) continue;
    const range = Math.max(...scores) - Math.min(...scores);
    if (widest === null || range > widest.range) widest = { column: id, range };
  }
  return widest;
}

export function scoresIn(lines: readonly NormalisedLine[], column: string): number[] {
  return lines.flatMap(({ verdicts }) => {
    const verdict = verdicts[column];
    return verdict && isScored(verdict) ? [verdict.score] : [];
  });
}

/** The judges of a panel share one cost. */
function oncePerEvaluation(lines: readonly NormalisedLine[]): NormalisedLine[] {
  return [...new Map(lines.map((line) => [line.evaluationId, line])).values()];
}

export const GRID_SORTS = ["disagreement", "cost", "missing", "newest", "title"] as const satisfies readonly GridSort[];

export interface GridFilter {
  /** Text to find in the title of the book. */
  readonly search?: string;
  readonly judge?: string;
  readonly method?: string;
  /** Show and sort by this aspect only. */
  readonly aspect?: string;
  readonly sort: GridSort;
}

/** A sorted grid, from which pages are taken. */
export interface SortedGrid extends Omit<GridPage, "from" | "found" | "rows"> {
  readonly books: readonly BookInGrid[];
  /** The row number at which each book begins. */
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

/** Rows `from` to `from + limit` of a sorted grid, and the number of a row that is searched for. */
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

export type LinePlace = Pick<GridLine, "evaluationId" | "member">;

function rowOf(books: readonly BookInGrid[], starts: readonly number[], find: LinePlace): number | null {
  for (const [at, { lines }] of books.entries()) {
    const line = lines.findIndex(
      ({ evaluationId, member }) => evaluationId === find.evaluationId && member === find.member,
    );
    if (line >= 0) return starts[at]! + 1 + line;
  }
  return null;
}

function gridLine(line: NormalisedLine, all: readonly NormalisedLine[], columns: readonly GridColumn[]): GridLine {
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

function beyondOthers(line: NormalisedLine, all: readonly NormalisedLine[], column: string): number | null {
  const verdict = line.verdicts[column];
  if (!verdict || !isScored(verdict)) return null;
  const scores = scoresIn(all, column);
  return scores.length < 2 ? null : verdict.score - (sum(scores) - verdict.score) / (scores.length - 1);
}

/** The book that contains a row. */
function bookAt(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Overall, then the aspects: those requested most often first, and otherwise in the rubric's order. */
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

/** Unknown values come last. */
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
