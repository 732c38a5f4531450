import type { Clock } from "../../core/clock.ts";
import type { ModelError } from "../../models/model-error.ts";

const COOL_DOWN_MILLISECONDS = 30_000;
/** Two requests that ran into the usual time limit, one after the other. */
const OUTAGE_MILLISECONDS = 600_000;

/** A moment from which on a provider may show signs of life. */
export interface CallStart {
  readonly at: number;
  readonly signsOfLife: number;
}

/**
 * Stops asking a provider that is dead: one that let a call fail as often as a call may, or for a long time, without a sign
 * of life to anyone meanwhile, or at once when the key or the model is wrong. How many parallel calls fail together says
 * nothing. While it is open, new calls are turned away with the reason; those under way keep the attempts they have left,
 * and after a while one new call may try again. The first answer closes it.
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
    // The one that asks now is the trial: the others stay away until it has an answer.
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

  /** An attempt of a call that began at `since` has failed; `last` when it has no other. */
  failed(error: ModelError, since: CallStart, last: boolean): void {
    // Being told to slow down, or that one request is wrong, is a sign of life.
    if (error.failure === "rate-limited" || (!error.isRetryable && !error.hopeless)) this.#signsOfLife += 1;
    const silent = since.signsOfLife === this.#signsOfLife;
    const long = last || this.#now() - since.at >= OUTAGE_MILLISECONDS;
    if (error.hopeless || (silent && long)) this.#openFor(error);
  }

  #openFor(reason: ModelError): void {
    const wasOpen = this.#open !== null;
    this.#open = { reason, until: this.#now() + COOL_DOWN_MILLISECONDS };
    if (!wasOpen) this.#onOpen(reason);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
