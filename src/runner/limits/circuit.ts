import type { Clock } from "../../core/clock.ts";
import type { ModelError } from "../../models/model-error.ts";

const COOL_DOWN_MILLISECONDS = 30_000;
/** Two requests that ran into the usual time limit, one after the other. */
const OUTAGE_MILLISECONDS = 600_000;

/** When a call started, and how many signs of life the provider had given by then. */
export interface CallStart {
  readonly at: number;
  readonly signsOfLife: number;
}

/** A wrong name, or a model that this key may not use: the provider's other models may well answer. */
export function concernsModelOnly({ failure, status }: ModelError): boolean {
  return failure === "unknown-model" || (failure === "authentication" && status === 403);
}

/**
 * Stops asking a provider that is down: one where a call used up its attempts, or failed for a long time, while no other
 * call succeeded. It opens at once when the key is wrong; a wrong model has a circuit of its own. How many parallel calls
 * fail together does not matter. While it is open, new calls are rejected with the reason; running calls keep their remaining
 * attempts, and after a while one new call may try again. The first answer closes it.
 */
export class Circuit {
  readonly #clock: Clock;
  readonly #onOpen: (reason: ModelError) => void;
  #signsOfLife = 0;
  #open: { reason: ModelError; until: number } | null = null;

  constructor(clock: Clock, onOpen: (reason: ModelError) => void) {
    this.#clock = clock;
    this.#onOpen = onOpen;
  }

  /** The failure that opened the circuit, while it is open. */
  get openedBy(): ModelError | null {
    if (!this.#open) return null;
    if (this.#now() < this.#open.until) return this.#open.reason;
    // This call is the trial: the others wait until it has an answer.
    this.#open = { ...this.#open, until: this.#now() + COOL_DOWN_MILLISECONDS };
    return null;
  }

  begin(): CallStart {
    return { at: this.#now(), signsOfLife: this.#signsOfLife };
  }

  answered(): void {
    this.#signsOfLife += 1;
    this.#open = null;
  }

  /** An attempt of a call that began at `since` has failed; `last` when no attempts are left. */
  failed(error: ModelError, since: CallStart, last: boolean): void {
    const isHopeless = error.hopeless && !concernsModelOnly(error);
    // A rate limit, a rejected request or a reply that cannot be used is a sign of life.
    const isAlive = ["rate-limited", "malformed", "cut-off"].includes(error.failure);
    if (isAlive || (!error.isRetryable && !isHopeless)) this.#signsOfLife += 1;
    const silent = since.signsOfLife === this.#signsOfLife;
    const long = last || this.#now() - since.at >= OUTAGE_MILLISECONDS;
    if (isHopeless || (silent && long)) this.open(error);
  }

  open(reason: ModelError): void {
    const wasOpen = this.#open !== null;
    this.#open = { reason, until: this.#now() + COOL_DOWN_MILLISECONDS };
    if (!wasOpen) this.#onOpen(reason);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
