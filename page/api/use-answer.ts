import { useCallback, useEffect, useState } from "react";
import { get } from "./request.ts";

export interface AnswerState<Answer> {
  readonly answer: Answer | null;
  readonly problem: Error | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** For what the server answered to a change: shown without asking again. */
  readonly replace: (answer: Answer) => void;
}

interface Known<Answer> {
  readonly path: string | null;
  readonly answer: Answer | null;
  readonly problem: Error | null;
}

/** What the server says at an address; null asks nothing. While a new address loads, the answer of the old one is not shown. */
export function useAnswer<Answer>(path: string | null): AnswerState<Answer> {
  const [known, setKnown] = useState<Known<Answer>>({ path: null, answer: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asking again is what `attempt` is for.
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    get<Answer>(path, abort.signal).then(
      (answer) => setKnown({ path, answer, problem: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setKnown({ path, answer: null, problem: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => abort.abort();
  }, [path, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const replace = useCallback((answer: Answer) => setKnown({ path, answer, problem: null }), [path]);
  const isCurrent = known.path === path;
  return {
    answer: isCurrent ? known.answer : null,
    problem: isCurrent ? known.problem : null,
    isLoading: path !== null && (!isCurrent || (known.answer === null && known.problem === null)),
    reload,
    replace,
  };
}
