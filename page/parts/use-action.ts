import { useCallback, useLayoutEffect, useRef, useState } from "react";

/** Runs steps one after another, so that each knows what the one before has changed. */
export function useQueue(): <Result>(step: () => Promise<Result>) => Promise<Result> {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useCallback((step) => {
    const next = last.current.catch(() => {}).then(step);
    last.current = next;
    return next;
  }, []);
}

export interface Action<Arguments extends readonly unknown[]> {
  /** The same function for as long as the component lives. */
  readonly run: (...values: Arguments) => Promise<void>;
  readonly isBusy: boolean;
  readonly problem: Error | null;
}

/** Something the reader asks for that takes a while and may fail: busy while it lasts, the problem kept to be shown. */
export function useAction<Arguments extends readonly unknown[]>(
  act: (...values: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  const run = useCallback(async (...values: Arguments) => {
    setBusy(true);
    setProblem(null);
    try {
      await latest.current(...values);
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  }, []);
  return { run, isBusy, problem };
}
