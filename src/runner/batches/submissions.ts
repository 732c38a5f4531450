import { contentHash } from "../../core/hash.ts";
import type { BatchItem } from "../../models/batch/batch-gateway.ts";
import { ModelError } from "../../models/model-error.ts";
import type { StoredBatch } from "../../store/records.ts";
import { GRACE_MILLISECONDS } from "../limits/gates.ts";
import { interrupted } from "../limits/provider-gate.ts";
import { FIRST_LOOK_MILLISECONDS } from "./ask-patiently.ts";
import type { BatcherOptions } from "./batcher-options.ts";

/** A batch of which we know the provider's id. */
export type NamedBatch = StoredBatch & { readonly providerId: string };

/** Batches on their way to the provider: each is written down before it is sent, and again when the provider has named it. */
export class Submissions {
  readonly #options: BatcherOptions;
  readonly #find: (batch: StoredBatch) => Promise<string | null>;
  readonly #running = new Set<Promise<unknown>>();
  readonly #cutOff = new AbortController();

  constructor(options: BatcherOptions, find: (batch: StoredBatch) => Promise<string | null>) {
    this.#options = options;
    this.#find = find;
  }

  /** Null when the run was interrupted before anything was sent. */
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
   * Gives uploads a moment to end, so that the names of their batches are stored; then cuts them off. Half an upload is
   * never billed, and one that arrived all the same is found by the next run.
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
    // The batch is paid for: it is waited for even when its name cannot be stored, and a later run finds it without.
    await store.saveBatch(batch).catch(() => {});
    return batch;
  }

  /** Sends a batch and gives the provider's id of it. One that may have arrived is looked for, not sent again. */
  async #nameOf(intended: StoredBatch, items: readonly BatchItem[]): Promise<string> {
    const { store, model, modelId, clock, interruption, emit } = this.#options;
    try {
      return await model.gateway.submit(intended.token, items, this.#cutOff.signal);
    } catch (error) {
      if (!wasRefused(error)) {
        const reason = `The provider's reply to a submitted batch was lost, so we look for the batch: ${messageOf(error)}`;
        const waitMilliseconds = FIRST_LOOK_MILLISECONDS;
        if (!interruption.happened) emit({ kind: "retried", model: modelId, reason, attempt: 1, waitMilliseconds });
        // What is still on its way has a moment to arrive.
        await interruption.sleep(waitMilliseconds, clock);
        const found = await this.#find(intended);
        if (found !== null) return found;
      }
      await store.saveBatch({ ...intended, collected: true });
      throw error;
    }
  }
}

/** The provider has answered that it does not take the batch; an error of the server, or none at all, leaves that open. */
function wasRefused(error: unknown): boolean {
  return error instanceof ModelError && error.status !== null && error.status < 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
