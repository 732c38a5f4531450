import type { Clock } from "../core/clock.ts";

/**
 * Ctrl-C as the runner sees it. What waits gives up at once; what is already sent has a moment to come back, since it is
 * paid for. One listener on the signal serves any number of waiting calls.
 */
export class Interruption {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly #forget: () => void;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    const spread = () => {
      for (const listener of [...this.#listeners]) listener();
    };
    signal.addEventListener("abort", spread, { once: true });
    this.#forget = () => signal.removeEventListener("abort", spread);
  }

  get happened(): boolean {
    return this.#signal.aborted;
  }

  /** Returns how to stop listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends early, without an error, when interrupted. */
  async sleep(milliseconds: number, clock: Clock): Promise<void> {
    if (this.happened) return;
    const wake = new AbortController();
    const stopListening = this.listen(() => wake.abort());
    try {
      await clock.sleep(milliseconds, wake.signal);
    } catch (error) {
      if (!wake.signal.aborted) throw error;
    } finally {
      stopListening();
    }
  }

  close(): void {
    this.#forget();
    this.#listeners.clear();
  }
}
