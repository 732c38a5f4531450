import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";

/** A mistyped token or an expired cookie has no penalty. */
const FREE = 5;
const LONGEST_MILLISECONDS = 15 * 60_000;
const FORGOTTEN_MILLISECONDS = 24 * 3600_000;
const MOST_ADDRESSES = 10_000;

interface Record {
  readonly failures: number;
  readonly last: number;
}

/** Slows down whoever guesses: after a few wrong tokens an address waits, twice as long after each further one. */
export class Guesses {
  readonly #clock: Clock;
  readonly #byAddress = new Map<string, Record>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Refuses an address that still has to wait, whatever token it sends. */
  refuseTooMany(address: string): void {
    const record = this.#byAddress.get(address);
    if (!record || record.failures < FREE) return;
    const delay = Math.min(LONGEST_MILLISECONDS, 1000 * 2 ** (record.failures - FREE));
    const left = record.last + delay - this.#now();
    if (left <= 0) return;
    const seconds = Math.ceil(left / 1000);
    throw new TooManyGuesses(seconds);
  }

  failed(address: string): void {
    const now = this.#now();
    const known = this.#byAddress.get(address);
    const failures = known && now - known.last < FORGOTTEN_MILLISECONDS ? known.failures : 0;
    // Moved to the end: the address that failed longest ago is forgotten first.
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { failures: failures + 1, last: now });
    if (this.#byAddress.size <= MOST_ADDRESSES) return;
    for (const oldest of this.#byAddress.keys()) {
      this.#byAddress.delete(oldest);
      break;
    }
  }

  succeeded(address: string): void {
    this.#byAddress.delete(address);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

export class TooManyGuesses extends FabulaError {
  readonly retryAfterSeconds: number;

  constructor(seconds: number) {
    super("E_TOO_MANY_TRIES", `Too many wrong tokens came from this address: wait ${seconds} s and try again.`);
    this.retryAfterSeconds = seconds;
  }
}
