import type { Clock } from "../core/clock.ts";
import type { CallUse, RunEvent } from "../store/records.ts";
import { isBusy, type Store } from "../store/store.ts";
import { isKept, type RunnerEvent } from "./runner-event.ts";

const FLUSH_MILLISECONDS = 1000;
const FLUSH_AT = 200;

/**
 * Writes what may be lost without harm (cache hits, events, the sign of life) in groups, apart from answers, which are
 * written one by one before anyone sees them. What could not be written waits for the next time, since a store may be busy
 * or full for a while only; a record that stays incomplete is no reason to lose a run that was paid for.
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

  /** Never rejects: what failed is tried again by the next flush. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Rejects with the reason when the record is incomplete; called again, it tries again. */
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

  /** One failure does not keep the others from being written, unless the whole store is busy: each would wait for it again. */
  async #attempt(write: () => Promise<void>): Promise<void> {
    if (isBusy(this.#problem)) return;
    try {
      await write();
    } catch (error) {
      this.#problem ??= error;
    }
  }
}
