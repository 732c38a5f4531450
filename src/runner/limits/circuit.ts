import type { Clock } from "../../core/clock.ts";
import type { ModelError } from "../../models/model-error.ts";

const FAILURES_IN_A_ROW = 10;
const COOL_DOWN_MILLISECONDS = 30_000;

/**
 * Stops asking a provider that is dead. After so many failures in a row without one answer, or at once when the key or the
 * model is wrong, every further call is turned away with the reason; after a while one call may try again.
 */
export class Circuit {
  readonly #clock: Clock;
  readonly #onOpen: (reason: ModelError) => void;
  #failures = 0;
  #open: { reason: ModelError; until: number } | null = null;

  constructor(clock: Clock, onOpen: (reason: ModelError) => void) {
    this.#clock = clock;
    this.#onOpen = onOpen;
  }

  /** The failure that opened the circuit, while it is open. */
  get openedBy(): ModelError | null {
    if (!this.#open) return null;
    if (this.#clock.now().getTime() < this.#open.until) return this.#open.reason;
    // The one that asks now is the trial: the others stay away until it has an answer.
    this.#open = { ...this.#open, until: this.#clock.now().getTime() + COOL_DOWN_MILLISECONDS };
    return null;
  }

  answered(): void {
    this.#failures = 0;
    this.#open = null;
  }

  failed(error: ModelError): void {
    // Being told to slow down, or that one request is wrong, is a sign of life.
    if (error.failure === "rate-limited" || (!error.worthAnotherTry && !error.hopeless)) {
      this.#failures = 0;
      return;
    }
    this.#failures += 1;
    if (this.#failures < FAILURES_IN_A_ROW && !error.hopeless) return;
    const wasOpen = this.#open !== null;
    this.#open = { reason: error, until: this.#clock.now().getTime() + COOL_DOWN_MILLISECONDS };
    if (!wasOpen) this.#onOpen(error);
  }
}
