import type { Clock } from "../../core/clock.ts";
import { contentHash, sha256 } from "../../core/hash.ts";
import { retry } from "../../core/retry.ts";
import type { BatchItem, BatchResult } from "../../models/batch/batch-http.ts";
import type { BatchModel } from "../../models/batch/batch-model.ts";
import type { ChatRequest } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
import { CONTENT_TABLES } from "../../store/contents.ts";
import { pagesOf } from "../../store/copy-contents.ts";
import type { StoredBatch } from "../../store/records.ts";
import { fromSafeText } from "../../store/safe-text.ts";
import type { Store } from "../../store/store.ts";
import type { Interruption } from "../interruption.ts";
import { GRACE_MILLISECONDS } from "../limits/gates.ts";
import { interrupted, MAXIMUM_BILLED_ATTEMPTS, type Sender, type Sending, type Sent } from "../limits/provider-gate.ts";
import type { RunnerListener } from "../runner-event.ts";

const FIRST_LOOK_MILLISECONDS = 5000;
const LONGEST_LOOK_MILLISECONDS = 60_000;
/**
 * After this many tries, an answer that waiting does not change, such as one in another format, is accepted as final.
 */
const TRIES_OF_A_STRANGE_ANSWER = 4;

/**
 * Asks about a batch until there is an answer, however long that takes: the batch is with the provider and will be
 * billed, so giving up would mean paying for it again. Only for answers that waiting does not change does it give up,
 * for this run.
 */
async function askPatiently<T>(
  { clock, interruption, modelId, emit }: Pick<BatcherOptions, "clock" | "interruption" | "modelId" | "emit">,
  question: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let pause = FIRST_LOOK_MILLISECONDS;
  let strange = 0;
  const look = async () => {
    if (interruption.happened) throw interrupted(modelId);
    return question(new AbortController().signal);
  };
  return retry(look, async (error, attempt) => {
    const isStrange = isGone(error) || isMalformed(error);
    if (!isStrange && !(error instanceof ModelError && error.isRetryable)) throw error;
    if (isStrange && ++strange >= TRIES_OF_A_STRANGE_ANSWER) throw isGone(error) ? error : unreadable(error);
    const reason = `The batch is submitted, but its state cannot be read: ${error.message}`;
    emit({ kind: "retried", model: modelId, reason, attempt, waitMilliseconds: pause });
    await interruption.sleep(pause, clock);
    pause = longer(pause);
  });
}

/** Whether the provider does not know the batch. It may also say so before it has recorded the batch everywhere. */
function isGone(error: unknown): error is ModelError {
  return error instanceof ModelError && error.status === 404;
}

function longer(pause: number): number {
  return Math.min(LONGEST_LOOK_MILLISECONDS, pause * 1.5);
}

function isMalformed(error: unknown): error is ModelError {
  return error instanceof ModelError && error.failure === "malformed";
}

/** Not a retryable error: a retry would submit the calls again while their batch is with the provider. */
function unreadable({ model, message, evidence }: ModelError): ModelError {
  const said = `${message} The batch is kept: \`fabula runs resume\` looks for its answers again.`;
  return new ModelError("rejected", model, said, { evidence });
}

/** A batch whose provider id is known. */
type NamedBatch = StoredBatch & { readonly providerId: string };

/**
 * Batches on their way to the provider. Each is stored before it is sent, and again when the provider has returned
 * its id.
 */
class Submissions {
  readonly #options: BatcherOptions;
  readonly #find: (batch: StoredBatch) => Promise<string | null>;
  readonly #running = new Set<Promise<unknown>>();
  readonly #cutOff = new AbortController();

  constructor(options: BatcherOptions, find: (batch: StoredBatch) => Promise<string | null>) {
    this.#options = options;
    this.#find = find;
  }

  /** Null if the run was interrupted before anything was sent. */
  async submit(items: readonly BatchItem[]): Promise<NamedBatch | null> {
    const submission = this.#submit(items);
    this.#running.add(submission);
    try {
      return await submission;
    } finally {
      this.#running.delete(submission);
    }
  }

  /**
   * Gives uploads a moment to end, so that the ids of their batches are stored, and then aborts them. Half an upload
   * is never billed, and one that arrived all the same is found by the next run.
   */
  async close(): Promise<void> {
    const { clock, modelId } = this.#options;
    const ended = Promise.allSettled(this.#running);
    const alarm = new AbortController();
    await Promise.race([ended, clock.sleep(GRACE_MILLISECONDS, alarm.signal).catch(() => {})]);
    alarm.abort();
    this.#cutOff.abort(interrupted(modelId));
    await ended;
  }

  async #submit(items: readonly BatchItem[]): Promise<NamedBatch | null> {
    const { store, modelId, runId, clock, interruption } = this.#options;
    const keys = items.map(({ id }) => id);
    const submittedAt = clock.now().toISOString();
    const intended: StoredBatch = {
      token: contentHash({ keys, submittedAt }).slice(0, 32),
      runId,
      model: modelId,
      providerId: null,
      submittedAt,
      collected: false,
      keys,
    };
    await store.saveBatch(intended);
    if (interruption.happened) {
      await store.saveBatch({ ...intended, collected: true });
      return null;
    }
    const batch = { ...intended, providerId: await this.#nameOf(intended, items) };
    // The batch is paid for, so it is waited for even if its id cannot be stored; a later run can find it without.
    await store.saveBatch(batch).catch(() => {});
    return batch;
  }

  /** Sends a batch and returns the provider's id of it. A batch that may have arrived is looked for, not sent again. */
  async #nameOf(intended: StoredBatch, items: readonly BatchItem[]): Promise<string> {
    const { store, model, modelId, clock, interruption, emit } = this.#options;
    try {
      return await model.gateway.submit(intended.token, items, this.#cutOff.signal);
    } catch (error) {
      if (!wasRefused(error)) {
        const reason = `The provider's reply to a submitted batch was lost, so we look for the batch: ${messageOf(error)}`;
        const waitMilliseconds = FIRST_LOOK_MILLISECONDS;
        if (!interruption.happened) emit({ kind: "retried", model: modelId, reason, attempt: 1, waitMilliseconds });
        // Uploads still on their way get a moment to arrive.
        await interruption.sleep(waitMilliseconds, clock);
        const found = await this.#find(intended);
        if (found !== null) return found;
      }
      await store.saveBatch({ ...intended, collected: true });
      throw error;
    }
  }
}

/** Whether the provider has refused the batch; a server error, or no answer, leaves that open. */
function wasRefused(error: unknown): boolean {
  return error instanceof ModelError && error.status !== null && error.status < 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const BATCHES = CONTENT_TABLES.filter(({ name }) => name === "batches");

/** The provider ids of all batches in the store, for any model: none of them can be the one that is looked for. */
async function heldBatches({ contents }: Store): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const table of BATCHES) {
    for await (const rows of pagesOf(table, ["token", "provider_id"], contents)) {
      for (const { provider_id: id } of rows) if (typeof id === "string") held.add(fromSafeText(id));
    }
  }
  return held;
}

interface Waiter {
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: unknown) => void;
}

export const LARGEST_BATCH = 2000;
const ATTEMPTS = MAXIMUM_BILLED_ATTEMPTS;
/** How long to wait for more requests before a batch is sent. */
const QUIET_MILLISECONDS = 1500;
const NO_ANSWER = JSON.stringify({ error: { message: "no answer to this call of a batch" } });
/** Providers keep results for about a month. */
const RESULTS_KEPT_MILLISECONDS = 29 * 24 * 3600 * 1000;

/**
 * Collects requests into batches, submits them, and waits. Every batch is stored before it is submitted, and again
 * when the provider has returned its id: a run killed at any moment finds its batches again and pays for none of them
 * twice.
 */
export class Batcher implements Sender {
  readonly #options: BatcherOptions;
  readonly #waiters = new Map<string, Waiter>();
  /** Results whose call is not finished: not requested yet, or returned and not stored yet. Their batches stay open. */
  readonly #results = new Map<string, BatchResult>();
  readonly #open = new Map<string, NamedBatch>();
  /** Ids that are with the provider now. */
  readonly #away = new Set<string>();
  readonly #ended = new Set<string>();
  /**
   * Ids with the provider whose results it does not give us, and why: they are neither waited for nor submitted
   * again.
   */
  readonly #unreachable = new Map<string, unknown>();
  /** Ids in batches of earlier runs, until the state of those is known. */
  readonly #lookups = new Map<string, Promise<void>>();
  readonly #submissions: Submissions;
  #pending: BatchItem[] = [];
  #recovered: Promise<void> | null = null;
  #quiet: AbortController | null = null;

  constructor(options: BatcherOptions) {
    this.#options = options;
    this.#submissions = new Submissions(options, (batch) => this.#find(batch));
    options.interruption.listen(() => this.#rejectAll(interrupted(options.modelId)));
  }

  async ask(request: ChatRequest, { beforeRetry }: Pick<Sending, "beforeRetry">): Promise<Sent> {
    await this.#recover();
    const ids: string[] = [];
    // Failed attempts are released together with the last one, because a resumed run needs them to find the last one.
    const settled = () => {
      for (const id of ids) this.#results.delete(id);
    };
    const look = async (attempts: number) => {
      const id = sha256(`${request.idempotencyKey}:${attempts}`);
      ids.push(id);
      const result = await this.#result(id, request);
      return { reply: await this.#options.model.decode(request, result), attempts, stored: settled };
    };
    return retry(look, async (error, attempt) => {
      if (!(error instanceof ModelError && error.isRetryable) || attempt >= ATTEMPTS) {
        if (error instanceof ModelError && error.failure !== "interrupted") settled();
        throw error;
      }
      const { modelId, emit } = this.#options;
      emit({ kind: "retried", model: modelId, reason: error.message, attempt, waitMilliseconds: 0 });
      await beforeRetry(error);
    });
  }

  /** Closes the batches whose every call is stored or has finally failed; the others wait for a resumed run. */
  async close(): Promise<void> {
    this.#quiet?.abort();
    await this.#submissions.close();
    for (const batch of this.#open.values()) {
      const left = batch.keys.some((id) => this.#waiters.has(id) || this.#results.has(id));
      if (!left && this.#ended.has(batch.token)) await this.#options.store.saveBatch({ ...batch, collected: true });
    }
  }

  async #result(id: string, request: ChatRequest): Promise<BatchResult> {
    await this.#lookups.get(id);
    const known = this.#results.get(id);
    if (known) return known;
    if (this.#options.interruption.happened) throw interrupted(this.#options.modelId);
    if (this.#unreachable.has(id)) throw this.#unreachable.get(id);
    const submitted = this.#away.has(id);
    const body = submitted ? null : await this.#options.model.encode(request);
    if (this.#options.interruption.happened) throw interrupted(this.#options.modelId);
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
      if (submitted) return;
      this.#pending.push({ id, body });
      if (this.#pending.length >= LARGEST_BATCH) this.#submitPending();
      else this.#submitSoon();
    });
  }

  #submitSoon(): void {
    this.#quiet?.abort();
    const quiet = new AbortController();
    this.#quiet = quiet;
    this.#options.clock.sleep(QUIET_MILLISECONDS, quiet.signal).then(
      () => this.#submitPending(),
      () => {},
    );
  }

  #submitPending(): void {
    this.#quiet?.abort();
    if (this.#options.interruption.happened) this.#rejectAll(interrupted(this.#options.modelId));
    const items = this.#pending.splice(0);
    if (items.length === 0) return;
    const ids = items.map(({ id }) => id);
    this.#submit(items).catch((error: unknown) => this.#fail(ids, error));
  }

  async #submit(items: readonly BatchItem[]): Promise<void> {
    const { modelId, emit } = this.#options;
    const batch = await this.#submissions.submit(items);
    if (!batch) return;
    this.#noteAway(batch);
    emit({ kind: "batch-submitted", model: modelId, calls: items.length });
    await this.#watch(batch);
  }

  async #find(batch: StoredBatch): Promise<string | null> {
    try {
      return await findBatch(this.#options, batch);
    } catch (error) {
      this.#noteUnreachable(batch, error);
      throw error;
    }
  }

  /**
   * Looks up the batches of earlier runs. If that fails, for example because the store is busy, the next call tries
   * again.
   */
  #recover(): Promise<void> {
    this.#recovered ??= this.#readOpenBatches().catch((error: unknown) => {
      this.#recovered = null;
      throw error;
    });
    return this.#recovered;
  }

  async #readOpenBatches(): Promise<void> {
    const { store, modelId } = this.#options;
    for (const batch of await store.openBatches(modelId)) {
      // Only calls in this batch wait for it, and only they fail if it cannot be looked up.
      const lookup = this.#lookUp(batch).catch((error: unknown) => this.#noteUnreachable(batch, error));
      for (const id of batch.keys) this.#lookups.set(id, lookup);
    }
  }

  /** A batch that arrived is watched; one that never did is forgotten. */
  async #lookUp(batch: StoredBatch): Promise<void> {
    const { store, clock } = this.#options;
    const tooOld = clock.now().getTime() - Date.parse(batch.submittedAt) > RESULTS_KEPT_MILLISECONDS;
    const providerId = tooOld ? null : (batch.providerId ?? (await findBatch(this.#options, batch)));
    if (providerId === null) return store.saveBatch({ ...batch, collected: true });
    const found = { ...batch, providerId };
    if (batch.providerId === null) await store.saveBatch(found).catch(() => {});
    this.#noteAway(found);
    this.#watch(found).catch((error: unknown) => this.#fail(found.keys, error));
  }

  #noteAway(batch: NamedBatch): void {
    this.#open.set(batch.token, batch);
    for (const id of batch.keys) this.#away.add(id);
  }

  #noteUnreachable({ keys }: StoredBatch, error: unknown): void {
    for (const id of keys) this.#unreachable.set(id, error);
  }

  async #watch(batch: NamedBatch): Promise<void> {
    const { clock, interruption } = this.#options;
    const { gateway } = this.#options.model;
    try {
      for (let pause = FIRST_LOOK_MILLISECONDS; !interruption.happened; pause = longer(pause)) {
        const state = await askPatiently(this.#options, (signal) => gateway.state(batch.providerId, signal));
        if (state !== "working") return await this.#collect(batch, state === "failed");
        await interruption.sleep(pause, clock);
      }
    } catch (thrown) {
      const error = isGone(thrown) ? await this.#giveUp(batch, thrown) : thrown;
      this.#noteUnreachable(batch, error);
      throw error;
    }
  }

  /** The answers of a deleted batch will never come; a later run may ask its calls again. */
  async #giveUp(batch: NamedBatch, cause: ModelError): Promise<ModelError> {
    const { store, modelId } = this.#options;
    await store.saveBatch({ ...batch, collected: true });
    const message = `${modelId} no longer has the batch ${batch.providerId}, so its answers are lost: \`fabula runs resume\` asks its calls again and pays for them again.`;
    return new ModelError("rejected", modelId, message, { status: cause.status, cause });
  }

  async #collect(batch: NamedBatch, failed: boolean): Promise<void> {
    const { model, modelId, emit } = this.#options;
    const missing = new Set(batch.keys);
    const results = failed
      ? []
      : await askPatiently(this.#options, (signal) => all(model.gateway.results(batch.providerId, signal)));
    for (const result of results) if (missing.delete(result.id)) this.#deliver(result);
    for (const id of missing) this.#deliver({ id, status: 500, body: NO_ANSWER });
    this.#ended.add(batch.token);
    for (const id of batch.keys) this.#away.delete(id);
    emit({ kind: "batch-collected", model: modelId, calls: batch.keys.length - missing.size });
  }

  #deliver(result: BatchResult): void {
    this.#results.set(result.id, result);
    this.#waiters.get(result.id)?.resolve(result);
    this.#waiters.delete(result.id);
  }

  #fail(ids: readonly string[], error: unknown): void {
    for (const id of ids) {
      const waiter = this.#waiters.get(id);
      this.#waiters.delete(id);
      waiter?.reject(error);
    }
  }

  #rejectAll(error: ModelError): void {
    this.#pending = [];
    this.#fail([...this.#waiters.keys()], error);
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The provider's id of a batch that may have arrived without our learning its id; null if it never arrived. */
async function findBatch(options: BatcherOptions, batch: StoredBatch): Promise<string | null> {
  const { model, store, clock, interruption, modelId } = options;
  for (let pause = FIRST_LOOK_MILLISECONDS; !interruption.happened; pause = longer(pause)) {
    const held = await heldBatches(store);
    const search = await askPatiently(options, (signal) => model.gateway.find({ ...batch, held }, signal));
    if (search.kind !== "undecided") return search.kind === "found" ? search.id : null;
    await interruption.sleep(pause, clock);
  }
  throw interrupted(modelId);
}

/** What a batcher needs: the model, and the store for what it submits. */
interface BatcherOptions {
  readonly modelId: string;
  readonly model: BatchModel;
  readonly store: Store;
  readonly runId: string;
  readonly clock: Clock;
  readonly interruption: Interruption;
  readonly emit: RunnerListener;
}
