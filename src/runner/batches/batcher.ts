import { sha256 } from "../../core/hash.ts";
import type { BatchItem, BatchResult } from "../../models/batch/batch-gateway.ts";
import type { ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { StoredBatch } from "../../store/records.ts";
import { MAXIMUM_BILLED_ATTEMPTS } from "../limits/billed-attempts.ts";
import { interrupted } from "../limits/provider-gate.ts";
import { askPatiently, FIRST_LOOK_MILLISECONDS, isGone, longer } from "./ask-patiently.ts";
import type { BatcherOptions } from "./batcher-options.ts";
import { findBatch } from "./find-batch.ts";
import { type NamedBatch, Submissions } from "./submissions.ts";

interface Waiter {
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: unknown) => void;
}

export const LARGEST_BATCH = 2000;
const ATTEMPTS = MAXIMUM_BILLED_ATTEMPTS;
/** How long to wait for more requests before a batch goes out. */
const QUIET_MILLISECONDS = 1500;
const NO_ANSWER = JSON.stringify({ error: { message: "no answer to this call of a batch" } });
/** Providers keep results for about a month. */
const RESULTS_KEPT_MILLISECONDS = 29 * 24 * 3600 * 1000;

/**
 * Collects requests into batches, submits them, and waits. Every batch is written down before it is submitted and again when
 * the provider has named it: a run that is killed at any moment finds its batches again and pays for none of them twice.
 */
export class Batcher {
  readonly #options: BatcherOptions;
  readonly #waiters = new Map<string, Waiter>();
  /** Results whose call is not settled: not requested yet, or handed out and not stored yet. Their batches stay open. */
  readonly #results = new Map<string, BatchResult>();
  readonly #open = new Map<string, NamedBatch>();
  /** Ids that are with the provider now. */
  readonly #away = new Set<string>();
  readonly #ended = new Set<string>();
  /** Ids with the provider that it does not show us, and why: they are neither waited for nor submitted again. */
  readonly #unreachable = new Map<string, unknown>();
  /** Ids in batches of earlier runs, until it is known what became of those. */
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

  async ask(
    request: ChatRequest,
    beforeRetry: (error: ModelError) => Promise<void>,
  ): Promise<{ reply: ChatReply; attempts: number; stored: () => void }> {
    await this.#recover();
    const ids: string[] = [];
    // Failed attempts are let go together with the last one: a resumed run needs them to find its way to that one.
    const settled = () => {
      for (const id of ids) this.#results.delete(id);
    };
    for (let attempt = 1; ; attempt++) {
      const id = sha256(`${request.idempotencyKey}:${attempt}`);
      ids.push(id);
      try {
        const result = await this.#result(id, request);
        return { reply: await this.#options.model.decode(request, result), attempts: attempt, stored: settled };
      } catch (error) {
        if (!(error instanceof ModelError && error.isRetryable) || attempt >= ATTEMPTS) {
          if (error instanceof ModelError && error.failure !== "interrupted") settled();
          throw error;
        }
        this.#options.emit({
          kind: "retried",
          model: this.#options.modelId,
          reason: error.message,
          attempt,
          waitMilliseconds: 0,
        });
        await beforeRetry(error);
      }
    }
  }

  /** Closes the batches whose every call is stored or has failed for good; the others wait for a resumed run. */
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

  /** Learns of the batches of earlier runs. What fails here, such as a busy store, is tried again by the next call. */
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
      // Only the calls of this batch wait for it, and only they fail when it cannot be looked up.
      const lookup = this.#lookUp(batch).catch((error: unknown) => this.#noteUnreachable(batch, error));
      for (const id of batch.keys) this.#lookups.set(id, lookup);
    }
  }

  /** A batch that arrived is watched, one that never did is forgotten. */
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

  /** The answers of a batch that was deleted will never come; a later run may ask its calls again. */
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
