import { z } from "zod";
import type { Contents } from "./contents.ts";

/** One answered request, kept for ever: what was asked is under `requestHash`, what came back is here. */
export const storedCallSchema = z.object({
  key: z.string(),
  model: z.string(),
  purpose: z.string(),
  sample: z.number().int(),
  requestHash: z.string(),
  text: z.string(),
  reasoning: z.string().nullable(),
  stop: z.enum(["stop", "length", "refusal", "other"]),
  /** The model as the provider named it in the reply. */
  servedBy: z.string(),
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cachedInputTokens: z.number().int().nonnegative(),
  reasoningTokens: z.number().int().nonnegative(),
  /** US dollars for all attempts; null when nobody knows the price. */
  cost: z.number().nonnegative().nullable(),
  latencyMilliseconds: z.number().nonnegative(),
  attempts: z.number().int().positive(),
  answeredAt: z.string(),
});
export type StoredCall = z.infer<typeof storedCallSchema>;

export const runStatusSchema = z.enum(["running", "done", "interrupted", "stopped", "failed"]);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** A set of calls with a budget: one execution of a command, continued as often as it is resumed. */
export const storedRunSchema = z.object({
  id: z.string(),
  /** The words after `fabula`, to do it again. */
  command: z.array(z.string()),
  folder: z.string(),
  status: runStatusSchema,
  /** Why it stopped, when it did not end by itself. */
  note: z.string().nullable(),
  maximumCost: z.number().nonnegative().nullable(),
  startedAt: z.string(),
  /** `host:process` that works or worked on it, and its last sign of life: how a crashed run is told from a busy one. */
  worker: z.string(),
  seenAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type StoredRun = z.infer<typeof storedRunSchema>;

/** How a run came by a call: it paid for it, found it in the store, or got no answer. */
export const callUseSchema = z.object({
  runId: z.string(),
  key: z.string(),
  outcome: z.enum(["asked", "cached", "failed"]),
  model: z.string(),
  purpose: z.string(),
  cost: z.number().nonnegative().nullable(),
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  reason: z.string().nullable(),
  at: z.string(),
});
export type CallUse = z.infer<typeof callUseSchema>;

export const useTotalSchema = z.object({
  outcome: callUseSchema.shape.outcome,
  model: z.string(),
  purpose: z.string(),
  calls: z.number().int(),
  /** Of the calls whose price is known; null when there are none. */
  cost: z.number().nullable(),
  unpricedCalls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
});
export type UseTotal = z.infer<typeof useTotalSchema>;

export const runEventSchema = z.object({
  runId: z.string(),
  at: z.string(),
  kind: z.string(),
  detail: z.string(),
});
export type RunEvent = z.infer<typeof runEventSchema>;

/** A use together with the answer it led to, if any: a line of an export. */
export const runCallSchema = callUseSchema.extend({
  position: z.number().int(),
  answer: storedCallSchema.nullable(),
});
export type RunCall = z.infer<typeof runCallSchema>;

/** A provider's batch, from the moment we decided to submit it. Without an id we do not know whether it arrived. */
export const storedBatchSchema = z.object({
  token: z.string(),
  runId: z.string(),
  model: z.string(),
  providerId: z.string().nullable(),
  submittedAt: z.string(),
  collected: z.boolean(),
  keys: z.array(z.string()),
});
export type StoredBatch = z.infer<typeof storedBatchSchema>;

/** What a run leaves beside its calls, by name, such as the judged draft that a second draft is compared with. */
export const runPaperSchema = z.object({ runId: z.string(), name: z.string(), body: z.string(), at: z.string() });
export type RunPaper = z.infer<typeof runPaperSchema>;

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
}

export interface RunPage {
  readonly limit: number;
  /** The last run of the page before; null for the first page. Two runs may start at the same moment, so both count. */
  readonly after: Pick<StoredRun, "startedAt" | "id"> | null;
}

export const failureCountSchema = z.object({ reason: z.string(), calls: z.number().int() });
export type FailureCount = z.infer<typeof failureCountSchema>;

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
  /** All of it as it is, for copying. */
  readonly contents: Contents;
  findCall(key: string): Promise<StoredCall | null>;
  /** Keeps an answer, what was asked, and the run's use of it, together. An earlier answer under the same key is replaced. */
  recordAnswer(call: StoredCall, request: string, use: CallUse): Promise<void>;
  recordUses(uses: readonly CallUse[]): Promise<void>;
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
  runCalls(runId: string, page: Page): Promise<RunCall[]>;
  recordEvents(events: readonly RunEvent[]): Promise<void>;
  events(runId: string): Promise<RunEvent[]>;
  /** A paper of the same run and name is replaced. */
  savePaper(paper: RunPaper): Promise<void>;
  findPaper(runId: string, name: string): Promise<RunPaper | null>;

  saveBatch(batch: StoredBatch): Promise<void>;
  /** Batches of this model whose results were not collected yet, whichever run submitted them. */
  openBatches(model: string): Promise<StoredBatch[]>;

  close(): Promise<void>;
}
