import { useCallback, useEffect, useRef, useState } from "react";
import type { GridPage, GridRow } from "../../../src/api/grid.ts";
import { type Args, api, askUntil, pathOf } from "../../api/client.ts";
import { type GridState, lineOf } from "./grid-state.ts";

/** Rows that are asked for at a time, and how many such parts are held: a long grid never fills the memory. */
const PART = 120;
const MOST_PARTS = 8;

export interface GridRows {
  /** The first answer of the grid as it is sorted now: its columns, its length, its filters. */
  readonly page: GridPage | null;
  readonly problem: Error | null;
  /** Whether what is shown is of an earlier sort or filter. */
  readonly isStale: boolean;
  readonly row: (index: number) => GridRow | null;
  /** Asks for what is missing between two rows. */
  readonly show: (first: number, last: number) => void;
  readonly reload: () => void;
}

type GridQuery = NonNullable<Args<typeof api.grid.$get>["query"]>;

interface Loaded {
  readonly source: string;
  readonly page: GridPage;
  readonly parts: ReadonlyMap<number, readonly GridRow[]>;
}

/** The rows of the grid, a part at a time, as the window comes by. */
export function useGridRows({ search, judge, method, aspect, sort, cell }: GridState): GridRows {
  const asked = { search, judge, method, aspect, sort, limit: PART };
  const source = pathOf(api.grid, { query: asked });
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const asking = useRef<{
    readonly source: string;
    readonly asked: GridQuery;
    readonly parts: Set<number>;
    readonly abort: AbortController;
  }>(null);
  // Where the open score stands is asked once for each sort: opening another must not ask for the grid again.
  const line = useRef("");
  line.current = cell === "" ? "" : lineOf(cell);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `source` stands for what is asked; asking again is what `attempt` is for.
  useEffect(() => {
    const abort = new AbortController();
    asking.current = { source, asked, parts: new Set([0]), abort };
    askUntil(abort.signal, api.grid.$get, { query: { ...asked, find: line.current } }).then(
      (page) => {
        setLoaded({ source, page, parts: new Map([[0, page.rows]]) });
        setProblem(null);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return () => abort.abort();
  }, [source, attempt]);

  const show = useCallback((first: number, last: number) => {
    const current = asking.current;
    if (!current) return;
    for (let part = Math.floor(first / PART); part <= Math.floor(last / PART); part++) {
      if (current.parts.has(part)) continue;
      current.parts.add(part);
      askUntil(current.abort.signal, api.grid.$get, { query: { ...current.asked, from: part * PART } }).then(
        (page) => setLoaded((known) => withPart(known, current, part, page.rows)),
        () => current.parts.delete(part),
      );
    }
  }, []);

  return {
    page: loaded?.page ?? null,
    problem,
    isStale: loaded !== null && loaded.source !== source,
    row: (index) => loaded?.parts.get(Math.floor(index / PART))?.[index % PART] ?? null,
    show,
    reload: useCallback(() => setAttempt((count) => count + 1), []),
  };
}

/** The parts that were asked for longest ago are let go. */
function withPart(
  known: Loaded | null,
  asked: { readonly source: string; readonly parts: Set<number> },
  part: number,
  rows: readonly GridRow[],
): Loaded | null {
  if (known?.source !== asked.source) return known;
  const parts = new Map(known.parts).set(part, rows);
  for (const oldest of [...parts.keys()].slice(0, Math.max(0, parts.size - MOST_PARTS))) {
    parts.delete(oldest);
    asked.parts.delete(oldest);
  }
  return { ...known, parts };
}
