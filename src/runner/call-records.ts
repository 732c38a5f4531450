import type { Clock } from "../core/clock.ts";
import { costOfCalls } from "../core/cost.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import type { CallUse, StoredCall, UseTotal } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { CallIdentity } from "./call-key.ts";
import type { Journal } from "./journal.ts";
import { FOR_PAID_ANSWERS, Patience } from "./patience.ts";
import type { RunnerListener } from "./runner-event.ts";

/** Writes what became of the calls of a run, and counts them: at its end the store may be out of reach. */
export class CallRecords {
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #emit: RunnerListener;
  readonly #totals = new Map<string, UseTotal>();
  #saidToWait = false;

  constructor(store: Store, journal: Journal, clock: Clock, emit: RunnerListener) {
    this.#store = store;
    this.#journal = journal;
    this.#clock = clock;
    this.#emit = emit;
  }

  /** An answer is paid for: a store that is busy or full for a while is no reason to lose it. */
  async answer(call: StoredCall, request: string, use: CallUse): Promise<void> {
    const patience = new Patience(this.#clock, FOR_PAID_ANSWERS, ({ code }) => this.#sayThatItWaits(code));
    await patience.try(() => this.#store.recordAnswer(call, request, use));
    this.#saidToWait = false;
    this.#count(use);
  }

  /** Once, however many answers wait for the same. */
  #sayThatItWaits(code: ErrorCode): void {
    if (this.#saidToWait) return;
    this.#saidToWait = true;
    this.#emit({ kind: "waits-for-store", problem: code === "E_STORE_FULL" ? "full" : "locked" });
  }

  /** A prompt that cannot be stored is no reason to lose the reason; a call that was never sent has none. */
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

  /** What this process did. The store's own totals count a call that is used twice once. */
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
