import type { GridSort } from "../../../src/api/grid.ts";
import { type Route, to } from "../../routing.ts";

/** What the grid shows, all of it in the address: the same address shows the same another day, and asks no model. */
export interface GridState {
  readonly search: string;
  readonly judge: string;
  readonly method: string;
  readonly aspect: string;
  readonly sort: GridSort;
  /** The open score and the one beside it, as `EVALUATION:MEMBER:ASPECT`. */
  readonly cell: string;
  readonly beside: string;
}

export const SORTS = {
  disagreement: "gridByDisagreement",
  cost: "gridByCost",
  missing: "gridByMissing",
  newest: "gridByNewest",
  title: "gridByTitle",
} as const satisfies Readonly<Record<GridSort, string>>;

const FIRST_SORT: GridSort = "disagreement";

export function gridState({ query }: Pick<Route, "query">): GridState {
  const text = (name: string) => query.get(name) ?? "";
  const sort = text("sort");
  return {
    search: text("search"),
    judge: text("judge"),
    method: text("method"),
    aspect: text("aspect"),
    cell: text("cell"),
    beside: text("beside"),
    sort: Object.hasOwn(SORTS, sort) ? (sort as GridSort) : FIRST_SORT,
  };
}

export function gridAddress({ sort, ...state }: GridState): string {
  return to(["grid"], { ...state, sort: sort === FIRST_SORT ? null : sort });
}

/** What the reader is given to find the way back. */
export function gridQuery(state: GridState): string {
  return gridAddress(state).split("?", 2)[1] ?? "";
}

export function cellId(place: { readonly evaluationId: string; readonly member: number }, aspect: string): string {
  return `${place.evaluationId}:${place.member}:${aspect}`;
}

export interface CellParam {
  readonly param: { readonly evaluation: string; readonly member: string; readonly aspect: string };
}

/** How the server is told of a cell; null for what names none. */
export function cellParam(id: string): CellParam | null {
  const [, evaluation, member, aspect] = /^([a-z0-9-]+):(\d+):(.+)$/.exec(id) ?? [];
  if (!evaluation || !member || !aspect) return null;
  return { param: { evaluation, member, aspect } };
}

/** The line that a cell stands in. */
export function lineOf(cell: string): string {
  return cell.split(":").slice(0, 2).join(":");
}
