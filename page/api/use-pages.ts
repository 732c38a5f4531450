import { useCallback, useEffect, useRef, useState } from "react";
import type { Paged } from "../../src/api/answers.ts";
import { address, get } from "./request.ts";

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly problem: Error | null;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/** A long list, page after page: the first at once, the next when asked for, never everything. */
export function usePages<Item>(path: string, query: Readonly<Record<string, string>> = {}, limit = 50): Pages<Item> {
  const first = address(path, { ...query, limit });
  const [state, setState] = useState<{ items: readonly Item[]; total: number | null; next: string | null }>(nothing);
  const [isLoading, setLoading] = useState(true);
  const [problem, setProblem] = useState<Error | null>(null);
  const abort = useRef<AbortController | null>(null);

  const load = useCallback(
    (after: string | null) => {
      abort.current?.abort();
      const controller = new AbortController();
      abort.current = controller;
      setLoading(true);
      const where = after === null ? first : `${first}&after=${encodeURIComponent(after)}`;
      get<Paged<Item>>(where, controller.signal).then(
        (page) => {
          setState((known) => ({
            items: after === null ? page.items : [...known.items, ...page.items],
            total: page.total,
            next: page.next,
          }));
          setProblem(null);
          setLoading(false);
        },
        (error: unknown) => {
          if (controller.signal.aborted) return;
          setProblem(error instanceof Error ? error : new Error(String(error)));
          setLoading(false);
        },
      );
    },
    [first],
  );

  useEffect(() => {
    load(null);
    return () => abort.current?.abort();
  }, [load]);

  return {
    items: state.items,
    total: state.total,
    hasMore: state.next !== null,
    isLoading,
    problem,
    loadMore: useCallback(() => load(state.next), [load, state.next]),
    reload: useCallback(() => load(null), [load]),
  };
}

function nothing() {
  return { items: [], total: null, next: null };
}
