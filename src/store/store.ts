import { FabulaError } from "../core/errors.ts";
import type { Contents } from "./contents.ts";
import type {
  CallUse,
  FailureCount,
  RunCall,
  RunEvent,
  RunMetadata,
  RunStatus,
  StoredBatch,
  StoredCall,
  StoredRun,
  UseTotal,
} from "./records.ts";

export interface Page {
  readonly limit: number;
  /** Of the last item of the page before; null for the first page. */
  readonly after: number | null;
}

/** Which runs: all that fit every condition that is given. */
export interface RunFilter {
  /** Stands in the run's id, its note or its command (its words with spaces between), whatever the case of Latin letters. */
  readonly search?: string;
  readonly status?: RunStatus;
  /** Last sign of life before this moment, or at it or later. What is open to workers lives, whoever queued it. */
  readonly seenBefore?: string;
  readonly seenSince?: string;
  /** Made a call to this model. */
  readonly model?: string;
  /** Stands in the run's command, such as a book's place. */
  readonly command?: string;
}

/** Which calls of a run: all that fit every condition that is given. */
export interface CallFilter {
  readonly model?: string;
  readonly purpose?: string;
  readonly outcome?: CallUse["outcome"];
}

export interface RunPage {
  readonly limit: number;
  /** The last run of the page before; null for the first page. Two runs may start at the same moment, so both count. */
  readonly after: Pick<StoredRun, "startedAt" | "id"> | null;
}

/** What is under a store, for people who look after it. */
export interface StoreDescription {
  readonly kind: "SQLite" | "PostgreSQL";
  readonly version: string;
  readonly bytes: number;
}

/**
 * Where calls, runs and batches live. One port; SQLite for one machine, PostgreSQL for many. Every method is all or nothing:
 * after a crash, an answer is there with its cost and its place in the run, or not at all.
 */
export interface Store {
  /** A path, or an address without its password. */
  readonly location: string;
  describe(): Promise<StoreDescription>;
  /** A quick look for damage: what is damaged, a sentence for each, with what to do last; empty when nothing is. Changes nothing. */
  check(): Promise<string[]>;
  /** All of it as it is, for copying. */
  readonly contents: Contents;
  findCall(key: string): Promise<StoredCall | null>;
  /** Keeps an answer, what was asked, and the run's use of it, together. An earlier answer under the same key is replaced. */
  recordAnswer(call: StoredCall, request: string, use: CallUse): Promise<void>;
  recordUses(uses: readonly CallUse[]): Promise<void>;
  /** Keeps what was asked in vain and the run's use of it, together. */
  recordFailure(use: CallUse & { readonly requestHash: string }, request: string): Promise<void>;
  findUse(runId: string, key: string): Promise<CallUse | null>;
  findRequest(hash: string): Promise<string | null>;
  countCalls(): Promise<number>;

  createRun(run: StoredRun): Promise<void>;
  updateRun(
    id: string,
    changes: Partial<Pick<StoredRun, "status" | "note" | "worker" | "seenAt" | "finishedAt" | "maximumCost">>,
  ): Promise<void>;
  findRun(id: string): Promise<StoredRun | null>;
  /** Newest first. */
  listRuns(filter: RunFilter, page: RunPage): Promise<StoredRun[]>;
  countRuns(filter: RunFilter): Promise<number>;
  /** Of these runs, those that are open to workers: they go on, or wait, without whoever queued them. */
  openToWorkers(ids: readonly string[]): Promise<ReadonlySet<string>>;
  totals(runId: string): Promise<UseTotal[]>;
  /** Why calls of this run got no answer, most frequent first. */
  failures(runId: string): Promise<FailureCount[]>;
  runCalls(runId: string, page: Page, filter?: CallFilter): Promise<RunCall[]>;
  recordEvents(events: readonly RunEvent[]): Promise<void>;
  events(runId: string): Promise<RunEvent[]>;
  /** Metadata of the same run and name is replaced. */
  saveMetadata(metadata: RunMetadata): Promise<void>;
  findMetadata(runId: string, name: string): Promise<RunMetadata | null>;

  saveBatch(batch: StoredBatch): Promise<void>;
  /** Batches of this model whose results were not collected yet, whichever run submitted them. */
  openBatches(model: string): Promise<StoredBatch[]>;

  close(): Promise<void>;
}

/** Another program has the lock. SQLite has waited for it already: whatever is written next would wait as long again. */
export function isBusy(error: unknown): boolean {
  return error instanceof FabulaError && error.code === "E_STORE_BUSY";
}
