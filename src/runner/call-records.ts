import type { Clock } from "../core/clock.ts";
import { costOfCalls } from "../core/cost.ts";
import { type ErrorCode, FabulaError } from "../core/errors.ts";
import { canonicalJson, contentHash, sha256 } from "../core/hash.ts";
import { retry } from "../core/retry.ts";
import { splitLabel } from "../core/wording.ts";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";
import type { CallUse, RunEvent, StoredCall, UseTotal } from "../store/records.ts";
import { isBusy, type Store } from "../store/store.ts";
import { isKept, type RunnerEvent, type RunnerListener } from "./runner-event.ts";

/** Temporary errors: another program may release the store, or somebody may free some space. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["E_STORE_BUSY", "E_STORE_FULL"]);

/** About a minute, which is also how long a store on a server is waited for. */
export const FOR_PAID_ANSWERS = [500, 1500, 3000, 5000, 10_000, 15_000, 25_000] as const;
/** Short, because the work is done and its result waits to be shown. */
export const FOR_LAST_STEPS = [1000, 2000, 5000] as const;

/** Retries what a store may refuse temporarily. All operations with the same patience share its pauses. */
export class Patience {
  readonly #clock: Clock;
  readonly #pauses: number[];
  readonly #onPause: (error: FabulaError) => void;

  constructor(clock: Clock, pausesMilliseconds: readonly number[], onPause: (error: FabulaError) => void = () => {}) {
    this.#clock = clock;
    this.#pauses = [...pausesMilliseconds];
    this.#onPause = onPause;
  }

  async try<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, async (error) => {
      if (!isPassing(error)) throw error;
      const pause = this.#pauses.shift();
      if (pause === undefined) throw error;
      this.#onPause(error);
      await this.#clock.sleep(pause);
    });
  }
}

function isPassing(error: unknown): error is FabulaError {
  return error instanceof FabulaError && PASSING.has(error.code);
}

/** Writes what became of the calls of a run, and counts them: at its end the store may be out of reach. */
export class CallRecords {
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #emit: RunnerListener;
  readonly #totals = new Map<string, UseTotal>();
  readonly #estimated = new Set<string>();
  readonly #versions = new Map<string, string[]>();
  /** Set while an answer waits for the store; resolved when one could be written again, or when one was given up. */
  #blocked: { readonly over: Promise<void>; readonly end: () => void } | null = null;
  #lost: unknown = null;

  constructor(store: Store, journal: Journal, clock: Clock, emit: RunnerListener) {
    this.#store = store;
    this.#journal = journal;
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Keeps trying, since the answer is paid for and a store may be busy or full only temporarily. */
  async answer(call: StoredCall, request: string, use: CallUse): Promise<void> {
    const patience = new Patience(this.#clock, FOR_PAID_ANSWERS, ({ code }) => this.#block(code));
    try {
      await patience.try(() => this.#store.recordAnswer(call, request, use));
    } catch (error) {
      this.#lost ??= error;
      this.#unblock();
      throw error;
    }
    this.#unblock();
    this.#count(use);
  }

  /**
   * Resolves when answers can be stored, so that nothing is bought that cannot be kept. Rejects for the rest of the
   * run once an answer was lost.
   */
  async untilStorable(): Promise<void> {
    while (this.#blocked) await this.#blocked.over;
    if (this.#lost !== null) throw this.#lost;
  }

  /** Reports this once, however many answers wait for the same reason. */
  #block(code: ErrorCode): void {
    if (this.#blocked) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#blocked = { over, end };
    this.#emit({ kind: "waits-for-store", problem: code === "E_STORE_FULL" ? "full" : "locked" });
  }

  #unblock(): void {
    this.#blocked?.end();
    this.#blocked = null;
  }

  /** Reports once per model that replies come without usable token counts. */
  noteEstimatedUsage(model: string): void {
    if (this.#estimated.has(model)) return;
    this.#estimated.add(model);
    this.#emit({ kind: "usage-estimated", model });
  }

  /**
   * A provider may point a name to another version of the model at any time; a run should not mix versions unnoticed.
   */
  noteVersion(model: string, servedBy: string): void {
    const known = this.#versions.get(model) ?? [];
    if (known.includes(servedBy)) return;
    this.#versions.set(model, [...known, servedBy]);
    const before = known.at(-1);
    if (before !== undefined) this.#emit({ kind: "version-changed", model, from: before, to: servedBy });
  }

  /** If the prompt cannot be stored, the reason is still recorded; a call that was never sent has no prompt. */
  async failure(use: CallUse, sent: Pick<CallIdentity, "requestHash" | "body"> | null): Promise<void> {
    if (!sent) return this.use(use);
    this.#count(use);
    await this.#store
      .recordFailure({ ...use, requestHash: sent.requestHash }, sent.body)
      .catch(() => this.#journal.noteUse(use));
  }

  use(use: CallUse): void {
    this.#count(use);
    this.#journal.noteUse(use);
  }

  /** Counts the work of this process. In the store's own totals, a call that is used twice counts once. */
  get totals(): UseTotal[] {
    return [...this.#totals.values()];
  }

  #count({ outcome, model, purpose, cost, inputTokens, outputTokens }: CallUse): void {
    const kind = JSON.stringify([outcome, model, purpose]);
    const before = this.#totals.get(kind);
    this.#totals.set(kind, {
      outcome,
      model,
      purpose,
      calls: (before?.calls ?? 0) + 1,
      ...costOfCalls((before?.cost ?? 0) + (cost ?? 0), (before?.unpricedCalls ?? 0) + (cost === null ? 1 : 0)),
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
    });
  }
}

/** A request identified by its content: the stored body, and its keys. */
export interface CallIdentity {
  readonly key: string;
  /** Everything in the request that changes an answer, except the model; equal for all samples. */
  readonly body: string;
  readonly requestHash: string;
}

/**
 * The key contains everything that changes an answer, and nothing else: the model with its address and the user's own
 * settings of it (but not the user's name for it), the parameters, the rendered prompt, the schema, what the caller
 * says the answer depends on, the sample number, and how often it was asked in vain. Resume, cache and re-judging all
 * rely on it.
 */
export function identify(
  { id, origin, settings }: Pick<ChatModel, "id" | "origin" | "settings">,
  request: ChatRequest,
): CallIdentity {
  const { messages, schema, temperature, seed, maximumTokens, basis } = request;
  const body = canonicalJson({ messages, schema, temperature, seed, maximumTokens, basis });
  const requestHash = sha256(body);
  const [model] = splitLabel(id);
  const key = contentHash({
    model,
    origin,
    settings,
    request: requestHash,
    sample: request.sample,
    retry: request.retry,
  });
  return { key, body, requestHash };
}

const FLUSH_MILLISECONDS = 1000;
const FLUSH_AT = 200;

/**
 * Writes records that may be lost without harm (cache hits, events, heartbeats) in groups. Answers, in contrast, are
 * written one by one before anyone sees them. What could not be written waits for the next time, since a store may be
 * busy or full only temporarily; an incomplete record is no reason to lose a run that was paid for.
 */
export class Journal {
  readonly #store: Store;
  readonly runId: string;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #uses: CallUse[] = [];
  #events: RunEvent[] = [];
  #writing: Promise<void> = Promise.resolve();
  #problem: unknown = null;

  constructor(store: Store, runId: string, clock: Clock) {
    this.#store = store;
    this.runId = runId;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MILLISECONDS);
    this.#timer.unref();
  }

  noteUse(use: CallUse): void {
    this.#uses.push(use);
    if (this.#uses.length % FLUSH_AT === 0) void this.flush();
  }

  noteEvent(event: RunnerEvent): void {
    if (!isKept(event)) return;
    const { kind, ...detail } = event;
    const at = this.#clock.now().toISOString();
    this.#events.push({ runId: this.runId, at, kind, detail: JSON.stringify(detail) });
  }

  /** Never rejects; whatever failed is tried again by the next flush. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Rejects with the reason if the record is incomplete; calling it again tries again. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    if (this.#problem !== null) throw this.#problem;
  }

  async #write(): Promise<void> {
    this.#problem = null;
    await this.#attempt(async () => {
      const uses = [...this.#uses];
      await this.#store.recordUses(uses);
      this.#uses.splice(0, uses.length);
    });
    await this.#attempt(async () => {
      const events = [...this.#events];
      await this.#store.recordEvents(events);
      this.#events.splice(0, events.length);
    });
    await this.#attempt(() => this.#store.updateRun(this.runId, { seenAt: this.#clock.now().toISOString() }));
  }

  /**
   * One failure does not keep the other records from being written, unless the whole store is busy: each would wait
   * for it again.
   */
  async #attempt(write: () => Promise<void>): Promise<void> {
    if (isBusy(this.#problem)) return;
    try {
      await write();
    } catch (error) {
      this.#problem ??= error;
    }
  }
}
