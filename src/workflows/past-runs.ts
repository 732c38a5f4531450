import { systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { isAtWork } from "../runner/run-record.ts";
import { type RunSummary, summarise } from "../runner/run-summary.ts";
import { openStore } from "../store/open-store.ts";
import type { FailureCount, RunEvent, RunStatus, Store, StoredRun } from "../store/store.ts";

export interface PastRun extends Omit<StoredRun, "status"> {
  /** `killed`: it says it runs, but nobody works on it any more. */
  readonly status: RunStatus | "killed";
  readonly summary: RunSummary;
}

export interface PastRunDetails extends PastRun {
  readonly events: readonly RunEvent[];
  /** Why calls got no answer, most frequent first. */
  readonly failures: readonly FailureCount[];
}

/** The latest runs, newest first. */
export async function listRuns(location: string, limit: number): Promise<PastRun[]> {
  return withStore(location, async (store) => {
    const runs = await store.listRuns({}, { limit, after: null });
    return Promise.all(runs.map((run) => pastRun(run, store)));
  });
}

export async function showRun(location: string, id: string): Promise<PastRunDetails> {
  return withStore(location, async (store) => {
    const run = await findRun(store, id);
    return { ...(await pastRun(run, store)), events: await store.events(id), failures: await store.failures(id) };
  });
}

export async function findRun(store: Store, id: string): Promise<StoredRun> {
  const run = await store.findRun(id);
  if (!run) throw new FabulaError("E_RUN_UNKNOWN", `There is no run "${id}": \`fabula runs list\` shows them.`);
  return run;
}

export async function withStore<T>(location: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function pastRun(run: StoredRun, store: Store): Promise<PastRun> {
  const killed = run.status === "running" && !isAtWork(run, systemClock.now());
  return { ...run, status: killed ? "killed" : run.status, summary: summarise(await store.totals(run.id)) };
}
