import { useCallback, useEffect, useRef, useState } from "react";
import type { Paged } from "../../src/api/answers.ts";
import { type Answer, type Args, askUntil, pathOf, type Resource, type Verb } from "./client.ts";

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly problem: Error | null;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

type PageArgs = { readonly query?: object };
type ItemOf<Of extends Resource> = Answer<Of["$get"]> extends Paged<infer Item> ? Item : never;

/** A long list, page after page: the first at once, the next when asked for, never everything. */
export function usePages<Of extends Resource>(
  resource: Of,
  args: PageArgs & Args<Of["$get"]>,
  limit = 50,
): Pages<ItemOf<Of>> {
  type Item = ItemOf<Of>;
  const first = pathOf<Resource>(resource, { ...args, query: { ...args.query, limit } });
  const [state, setState] = useState<{ items: readonly Item[]; total: number | null; next: string | null }>(nothing);
  const [isLoading, setLoading] = useState(true);
  const [problem, setProblem] = useState<Error | null>(null);
  const abort = useRef<AbortController | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address of the first page stands for resource and arguments.
  const load = useCallback(
    (after: string | null) => {
      abort.current?.abort();
      const controller = new AbortController();
      abort.current = controller;
      setLoading(true);
      const query = { ...args.query, limit, after };
      askUntil<Verb>(controller.signal, resource.$get, { ...args, query }).then(
        (page: Paged<Item>) => {
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
