import { useEffect, useSyncExternalStore } from "react";
import { api, ask } from "../../api/client.ts";

/** In the file of a report nobody is asked: signs then follow the names. */
const NOBODY: readonly string[] = [];
/** Asked once for all views, and again for a judge that has joined since. */
let known: readonly string[] | null = null;
const missed = new Set<string>();
const listeners = new Set<() => void>();
let asking = false;

/** The library's judges in the order in which they first appeared; null while they are not known. */
export function useKnownJudges(judge: string): readonly string[] | null {
  const list = useSyncExternalStore(
    listen,
    () => known,
    () => NOBODY,
  );
  useEffect(() => {
    if (list?.includes(judge) || missed.has(judge)) return;
    missed.add(judge);
    void learnJudges();
  }, [list, judge]);
  return list;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function learnJudges(): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    known = await ask(api.evaluations.judges.$get);
  } catch {
    // A missing list is no error worth showing: the signs then follow the order of the names.
    known ??= [];
  }
  asking = false;
  for (const listener of listeners) listener();
}
