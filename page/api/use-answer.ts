import { useCallback, useEffect, useState } from "react";
import { type Answer, type Args, askUntil, pathOf, type Resource } from "./client.ts";

export interface AnswerState<Known> {
  readonly answer: Known | null;
  readonly problem: Error | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** For what the server answered to a change: shown without asking again. */
  readonly replace: (answer: Known) => void;
}

interface Held<Known> {
  readonly path: string | null;
  readonly answer: Known | null;
  readonly problem: Error | null;
}

/** Asks again a while after each answer, and not while one is on its way: that one would be taken back. */
export function useRepeated<Known>(
  { answer, problem, reload }: Pick<AnswerState<Known>, "answer" | "problem" | "reload">,
  milliseconds: number,
  isWanted: boolean,
): void {
  // Each answer, and each failure, begins the wait again.
  useEffect(() => {
    if (!isWanted || (answer === null && problem === null)) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      clearInterval(timer);
      reload();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [answer, problem, reload, milliseconds, isWanted]);
}

/**
 * What a resource of the server answers; null in place of what it takes asks nothing, and another `again` asks again. While
 * one answer loads, the one before is not shown.
 */
export function useAnswer<Of extends Resource>(
  resource: Of,
  ...[args = {}, again = ""]: Record<never, never> extends Args<Of["$get"]>
    ? [args?: Args<Of["$get"]> | null, again?: string]
    : [args: Args<Of["$get"]> | null, again?: string]
): AnswerState<Answer<Of["$get"]>> {
  type Found = Answer<Of["$get"]>;
  const [known, setKnown] = useState<Held<Found>>({ path: null, answer: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  const path = args === null ? null : `${pathOf<Resource>(resource, args)} ${again}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path stands for resource and arguments; asking again is what `attempt` is for.
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    askUntil<Of["$get"]>(abort.signal, resource.$get, args ?? {}).then(
      (answer) => setKnown({ path, answer, problem: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setKnown({ path, answer: null, problem: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => abort.abort();
  }, [path, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const replace = useCallback((answer: Found) => setKnown({ path, answer, problem: null }), [path]);
  const isCurrent = known.path === path;
  return {
    answer: isCurrent ? known.answer : null,
    problem: isCurrent ? known.problem : null,
    isLoading: path !== null && (!isCurrent || (known.answer === null && known.problem === null)),
    reload,
    replace,
  };
}
