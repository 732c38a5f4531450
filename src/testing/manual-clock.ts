import type { Clock } from "../core/clock.ts";

/**
 * A clock that stands still until it is moved: what waits is woken in the order of its time, without waiting. For tests
 * of timeouts and retries: pass it wherever a `clock` is taken.
 *
 * @example
 * ```ts
 * const clock = new ManualClock();
 * const rested = clock.sleep(60_000);
 * await clock.advance(60_000);
 * await rested; // a minute later by this clock, at once by any other
 * ```
 */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: { at: number; wake: () => void }[] = [];

  constructor(start = new Date("2026-01-01T00:00:00Z")) {
    this.#now = start.getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + milliseconds, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Moves forward, stopping at every pending timer, so that timers started meanwhile are seen too. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const next = this.#sleepers.toSorted((left, right) => left.at - right.at)[0];
      if (!next || next.at > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets all pending promises run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
