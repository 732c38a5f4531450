import { useCallback, useState } from "react";

export interface Action<Arguments extends readonly unknown[]> {
  readonly run: (...values: Arguments) => Promise<void>;
  readonly isBusy: boolean;
  readonly problem: Error | null;
}

/** Something the reader asks for that takes a while and may fail: busy while it lasts, the problem kept to be shown. */
export function useAction<Arguments extends readonly unknown[]>(
  act: (...values: Arguments) => Promise<void>,
): Action<Arguments> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const run = useCallback(
    async (...values: Arguments) => {
      setBusy(true);
      setProblem(null);
      try {
        await act(...values);
      } catch (error) {
        setProblem(error instanceof Error ? error : new Error(String(error)));
      } finally {
        setBusy(false);
      }
    },
    [act],
  );
  return { run, isBusy, problem };
}
