import { systemClock } from "../../core/clock.ts";
import { type SharedProgress, sharedProgress } from "../../queue/progress.ts";
import {
  findRun,
  HEARTBEAT_TIMEOUT_MILLISECONDS,
  isActiveRun,
  type RunSummary,
  summarise,
} from "../../runner/run-record.ts";
import { openStore } from "../../store/open-store.ts";
import {
  type FailureCount,
  type RunEvent,
  type RunStatus,
  runStatusSchema,
  type StoredRun,
  type UseTotal,
} from "../../store/records.ts";
import type { RunFilter, RunPage, Store } from "../../store/store.ts";

/** `killed`: its status is running, but no process is working on it any more. */
export const PAST_RUN_STATUSES = [...runStatusSchema.options, "killed"] as const;
type PastRunStatus = RunStatus | "killed";

export interface PastRun extends Omit<StoredRun, "status"> {
  readonly status: PastRunStatus;
  readonly summary: RunSummary;
}

export interface PastRunDetails extends PastRun {
  readonly events: readonly RunEvent[];
  /** Why calls were not answered, most frequent reason first. */
  readonly failures: readonly FailureCount[];
  readonly totals: readonly UseTotal[];
}

export interface ShownRun extends PastRunDetails {
  /** The progress of its workers, if it was queued for any. */
  readonly shared: SharedProgress | null;
}

export interface PastRunFilter {
  readonly search?: string;
  readonly status?: PastRunStatus;
  readonly model?: string;
  /** Text to find in the command. */
  readonly command?: string;
}

/** The latest runs, newest first. */
export async function listRuns(location: string, limit: number): Promise<PastRun[]> {
  return withStore(location, async (store) => {
    const runs = await store.listRuns({}, { limit, after: null });
    return pastRuns(runs, store);
  });
}

/** One page of the matching runs, newest first, and the number of all that match. */
export async function pageRuns(
  store: Store,
  filter: PastRunFilter,
  page: RunPage,
): Promise<{ runs: PastRun[]; total: number }> {
  const stored = storedFilter(filter, systemClock.now());
  const [runs, total] = await Promise.all([store.listRuns(stored, page), store.countRuns(stored)]);
  return { runs: await pastRuns(runs, store), total };
}

/** Whether a process is working on a run follows from its last heartbeat. */
function storedFilter({ status, ...named }: PastRunFilter, now: Date): RunFilter {
  const silentSince = new Date(now.getTime() - HEARTBEAT_TIMEOUT_MILLISECONDS).toISOString();
  if (status === "killed") return { ...named, status: "running", seenBefore: silentSince };
  if (status === "running") return { ...named, status, seenSince: silentSince };
  return status === undefined ? named : { ...named, status };
}

export async function showRun(location: string, id: string): Promise<ShownRun> {
  const past = await withStore(location, (store) => findPastRun(store, id));
  return { ...past, shared: await sharedProgress(location, id) };
}

export async function findPastRun(store: Store, id: string): Promise<PastRunDetails> {
  const run = await findRun(store, id);
  const [totals, events, failures] = await Promise.all([store.totals(id), store.events(id), store.failures(id)]);
  const [past] = await pastRuns([run], store);
  return { ...past!, totals, events, failures };
}

export async function withStore<T>(location: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function pastRuns(runs: readonly StoredRun[], store: Store): Promise<PastRun[]> {
  const silent = runs.filter((run) => run.status === "running" && !isActiveRun(run, systemClock.now()));
  // The process that queued a run may have ended: as long as the run is open, workers continue it.
  const queued = await store.openToWorkers(silent.map(({ id }) => id));
  const killed = new Set(silent.filter(({ id }) => !queued.has(id)));
  return Promise.all(
    runs.map(async (run) => ({
      ...run,
      status: killed.has(run) ? "killed" : run.status,
      summary: summarise(await store.totals(run.id)),
    })),
  );
}
