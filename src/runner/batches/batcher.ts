import { contentHash, sha256 } from "../../core/hash.ts";
import type { BatchResult } from "../../models/batch/batch-gateway.ts";
import type { ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { StoredBatch } from "../../store/records.ts";
import { MAXIMUM_BILLED_ATTEMPTS } from "../limits/billed-attempts.ts";
import { interrupted } from "../limits/provider-gate.ts";
import { askPatiently, FIRST_LOOK_MILLISECONDS, isGone, longer } from "./ask-patiently.ts";
import type { BatcherOptions } from "./batcher-options.ts";
import { heldBatches } from "./held-batches.ts";

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
  readonly #open = new Map<string, StoredBatch>();
  /** Ids that are with the provider now. */
  readonly #away = new Set<string>();
  readonly #ended = new Set<string>();
  /** Ids with the provider that it does not show us, and why: they are neither waited for nor submitted again. */
  readonly #unreachable = new Map<string, unknown>();
  #pending: { id: string; body: unknown }[] = [];
  #recovered: Promise<void> | null = null;
  #quiet: AbortController | null = null;

  constructor(options: BatcherOptions) {
    this.#options = options;
    options.interruption.listen(() => this.#rejectAll(interrupted(options.modelId)));
  }

  async ask(
    request: ChatRequest,
    beforeRetry: (error: ModelError) => Promise<void>,
  ): Promise<{ reply: ChatReply; attempts: number; stored: () => void }> {
    this.#recovered ??= this.#recover();
    await this.#recovered;
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
    for (const batch of this.#open.values()) {
      const left = batch.keys.some((id) => this.#waiters.has(id) || this.#results.has(id));
      if (!left && this.#ended.has(batch.token)) await this.#options.store.saveBatch({ ...batch, collected: true });
    }
  }

  async #result(id: string, request: ChatRequest): Promise<BatchResult> {
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

  async #submit(items: readonly { id: string; body: unknown }[]): Promise<void> {
    const { store, modelId, runId, clock, interruption, emit } = this.#options;
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
    if (interruption.happened) return store.saveBatch({ ...intended, collected: true });
    const providerId = await this.#nameOf(intended, items);
    const batch = { ...intended, providerId };
    await store.saveBatch(batch);
    this.#noteAway(batch);
    emit({ kind: "batch-submitted", model: modelId, calls: keys.length });
    await this.#watch(batch, providerId);
  }

  /** Submits a batch and gives the provider's id of it. A submission that may have arrived is looked for, not repeated. */
  async #nameOf(intended: StoredBatch, items: readonly { id: string; body: unknown }[]): Promise<string> {
    const { store, model, clock, interruption } = this.#options;
    try {
      return await model.gateway.submit(intended.token, items, new AbortController().signal);
    } catch (error) {
      if (!wasRefused(error)) {
        // What is still on its way has a moment to arrive.
        await interruption.sleep(FIRST_LOOK_MILLISECONDS, clock);
        const found = await this.#find(intended);
        if (found !== null) return found;
      }
      await store.saveBatch({ ...intended, collected: true });
      throw error;
    }
  }

  async #find(batch: StoredBatch): Promise<string | null> {
    const { store, model } = this.#options;
    const held = await heldBatches(store);
    return askPatiently(this.#options, (signal) =>
      model.gateway.find({ ...batch, size: batch.keys.length, held }, signal),
    );
  }

  /** Batches of earlier runs: those that arrived are watched, those that never did are forgotten. */
  async #recover(): Promise<void> {
    const { store, modelId, clock } = this.#options;
    for (const batch of await store.openBatches(modelId)) {
      const tooOld = clock.now().getTime() - Date.parse(batch.submittedAt) > RESULTS_KEPT_MILLISECONDS;
      const providerId = tooOld ? null : (batch.providerId ?? (await this.#find(batch)));
      if (providerId === null) {
        await store.saveBatch({ ...batch, collected: true });
        continue;
      }
      const found = { ...batch, providerId };
      await store.saveBatch(found);
      this.#noteAway(found);
      this.#watch(found, providerId).catch((error: unknown) => this.#fail(found.keys, error));
    }
  }

  #noteAway(batch: StoredBatch): void {
    this.#open.set(batch.token, batch);
    for (const id of batch.keys) this.#away.add(id);
  }

  async #watch(batch: StoredBatch, providerId: string): Promise<void> {
    const { clock, interruption } = this.#options;
    const { gateway } = this.#options.model;
    try {
      for (let pause = FIRST_LOOK_MILLISECONDS; !interruption.happened; pause = longer(pause)) {
        const state = await askPatiently(this.#options, (signal) => gateway.state(providerId, signal));
        if (state !== "working") return await this.#collect(batch, providerId, state === "failed");
        await interruption.sleep(pause, clock);
      }
    } catch (thrown) {
      const error = isGone(thrown) ? await this.#giveUp(batch, providerId, thrown) : thrown;
      for (const id of batch.keys) this.#unreachable.set(id, error);
      throw error;
    }
  }

  /** The answers of a batch that was deleted will never come; a later run may ask its calls again. */
  async #giveUp(batch: StoredBatch, providerId: string, cause: ModelError): Promise<ModelError> {
    const { store, modelId } = this.#options;
    await store.saveBatch({ ...batch, collected: true });
    const message = `${modelId} no longer has the batch ${providerId}, so its answers are lost: \`fabula runs resume\` asks its calls again and pays for them again.`;
    return new ModelError("rejected", modelId, message, { status: cause.status, cause });
  }

  async #collect(batch: StoredBatch, providerId: string, failed: boolean): Promise<void> {
    const { model, modelId, emit } = this.#options;
    const missing = new Set(batch.keys);
    const results = failed
      ? []
      : await askPatiently(this.#options, (signal) => all(model.gateway.results(providerId, signal)));
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

/** The provider has answered that it does not take the batch; an error of the server, or none at all, leaves that open. */
function wasRefused(error: unknown): boolean {
  return error instanceof ModelError && error.status !== null && error.status < 500;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
