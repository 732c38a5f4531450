import type { Clock } from "../../core/clock.ts";

const MINUTE = 60_000;
/** A full bucket holds this much of a minute's allowance: enough for a burst, too little to use a minute twice. */
const BURST_SHARE = 1 / 6;

/** A token bucket: a rate per minute, spread evenly over the minute. */
class Rate {
  readonly #perMinute: number;
  readonly #capacity: number;
  #available: number;
  #filledAt: number;

  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#capacity = Math.max(1, perMinute * BURST_SHARE);
    this.#available = this.#capacity;
    this.#filledAt = now;
  }

  /** Milliseconds until `amount` may be taken. More than the bucket holds may be taken when it is full. */
  waitFor(amount: number, now: number): number {
    this.#fill(now);
    const lacking = Math.min(amount, this.#capacity) - this.#available;
    return lacking <= 0 ? 0 : Math.ceil((lacking / this.#perMinute) * MINUTE);
  }

  take(amount: number, now: number): void {
    this.#fill(now);
    this.#available -= amount;
  }

  #fill(now: number): void {
    this.#available = Math.min(this.#capacity, this.#available + ((now - this.#filledAt) / MINUTE) * this.#perMinute);
    this.#filledAt = now;
  }
}

export interface RateLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** How many of the requests that would go out now may, and when to ask for the next when not all of them may. */
export interface Admission {
  readonly admitted: number;
  /** Null: the allotment will notify. */
  readonly waitMilliseconds: number | null;
}

/**
 * What one process may send to a provider just now. Alone, that is the whole limit; where several processes share the
 * limit, it is the share that was agreed with the others, which comes and goes.
 */
export interface Allotment {
  /** How many calls may run at a time. */
  readonly concurrency: number;
  /** Whether what was granted may still be used: a process that stood still for a while may have lost its share to others meanwhile. */
  readonly isHeld: boolean;
  /** Asked with the tokens of each request that is about to go out, in order. Those admitted count as sent. */
  admit(tokens: readonly number[]): Admission | Promise<Admission>;
  /** How many calls are running and how many more could be: shares are computed from this. */
  need(underWay: number, more: number): void;
  /** Tells when there may be more than before. */
  listen(listener: () => void): void;
  /** Nothing more is sent by it. */
  close(): void;
}

/** The whole limit, for a single process. */
export function unsharedAllotment(limits: RateLimits, clock: Clock): Allotment {
  const start = clock.now().getTime();
  const requests = limits.requestsPerMinute ? new Rate(limits.requestsPerMinute, start) : null;
  const tokens = limits.tokensPerMinute ? new Rate(limits.tokensPerMinute, start) : null;
  return {
    concurrency: Number.POSITIVE_INFINITY,
    isHeld: true,
    admit(wanted) {
      const now = clock.now().getTime();
      for (const [admitted, size] of wanted.entries()) {
        const waitMilliseconds = Math.max(requests?.waitFor(1, now) ?? 0, tokens?.waitFor(size, now) ?? 0);
        if (waitMilliseconds > 0) return { admitted, waitMilliseconds };
        requests?.take(1, now);
        tokens?.take(size, now);
      }
      return { admitted: wanted.length, waitMilliseconds: 0 };
    },
    need() {},
    listen() {},
    close() {},
  };
}
