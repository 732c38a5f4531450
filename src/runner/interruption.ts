import type { Clock } from "../core/clock.ts";

/**
 * An interruption such as Ctrl-C. Waiting calls are rejected at once; calls already sent get a moment to finish,
 * because they are paid for. A single listener on the signal serves any number of waiting calls.
 */
export class Interruption {
  readonly #listeners = new Set<() => void>();
  readonly #forget: () => void;
  #happened: boolean;

  constructor(signal: AbortSignal) {
    this.#happened = signal.aborted;
    const begin = () => this.begin();
    signal.addEventListener("abort", begin, { once: true });
    this.#forget = () => signal.removeEventListener("abort", begin);
  }

  get happened(): boolean {
    return this.#happened;
  }

  /** Stops sending: because of Ctrl-C, or because the work has failed. */
  begin(): void {
    if (this.#happened) return;
    this.#happened = true;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns a function that stops listening. */
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
