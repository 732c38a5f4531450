import type { Clock } from "../core/clock.ts";
import type { CallUse, Store } from "../store/store.ts";
import { isKept, type RunnerEvent } from "./runner-event.ts";

const FLUSH_MILLISECONDS = 1000;
const FLUSH_AT = 200;

/**
 * Writes what may be lost without harm (cache hits, events, the sign of life) in groups, apart from answers, which are
 * written one by one before anyone sees them.
 */
export class Journal {
  readonly #store: Store;
  readonly runId: string;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #uses: CallUse[] = [];
  #events: { at: string; event: RunnerEvent }[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, runId: string, clock: Clock) {
    this.#store = store;
    this.runId = runId;
    this.#clock = clock;
    this.#timer = setInterval(() => this.#flush(), FLUSH_MILLISECONDS);
    this.#timer.unref();
  }

  noteUse(use: CallUse): void {
    this.#uses.push(use);
    if (this.#uses.length >= FLUSH_AT) this.#flush();
  }

  noteEvent(event: RunnerEvent): void {
    if (isKept(event)) this.#events.push({ at: this.#clock.now().toISOString(), event });
  }

  #flush(): void {
    const uses = this.#uses.splice(0);
    const events = this.#events.splice(0).map(({ at, event: { kind, ...detail } }) => ({
      runId: this.runId,
      at,
      kind,
      detail: JSON.stringify(detail),
    }));
    this.#writing = this.#writing.then(async () => {
      await this.#store.recordUses(uses);
      await this.#store.recordEvents(events);
      await this.#store.updateRun(this.runId, { seenAt: this.#clock.now().toISOString() });
    });
    // Reported by `flush`, which everyone calls at the end; here it must only not crash the process.
    this.#writing.catch(() => {});
  }

  async flush(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
