import type { Clock } from "../../core/clock.ts";
import { Rate } from "./rate.ts";

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
