import type { Clock } from "../core/clock.ts";
import type { Allowance } from "../models/chat-model.ts";
import type { Interruption } from "./interruption.ts";
import { Rate } from "./rate.ts";

export interface Limits {
  /** Calls at a time to begin with, and at most. */
  readonly initialConcurrency: number;
  readonly maximumConcurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** How a request ended, for the limiter: `throttled` slows down, `answered` speeds up, `failed` says nothing about load. */
export interface PermitOutcome {
  readonly outcome: "answered" | "throttled" | "failed";
  readonly pauseMilliseconds?: number | null;
  readonly allowance?: Allowance | undefined;
}

export type Permit = (outcome: PermitOutcome) => void;

interface Waiting {
  readonly tokens: number;
  readonly resolve: (permit: Permit | null) => void;
}

const SLOWDOWN = 0.7;
/** Parallel calls are refused together; together they are one sign of being too fast, not fifty. */
const SLOWDOWN_EVERY_MILLISECONDS = 1000;

/**
 * How many requests one provider gets at a time. One more for every round that goes well, three tenths fewer when it says
 * "too many"; it waits as long as the provider asks and as its rate-limit headers imply.
 */
export class Limiter {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #onSlowdown: (concurrency: number) => void;
  readonly #requests: Rate | null;
  readonly #tokens: Rate | null;
  readonly #waiting: Waiting[] = [];
  #concurrency: number;
  #active = 0;
  #pausedUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #timer: AbortController | null = null;

  constructor(limits: Limits, clock: Clock, interruption: Interruption, onSlowdown: (concurrency: number) => void) {
    this.#limits = limits;
    this.#clock = clock;
    this.#onSlowdown = onSlowdown;
    this.#concurrency = limits.initialConcurrency;
    const now = clock.now().getTime();
    this.#requests = limits.requestsPerMinute ? new Rate(limits.requestsPerMinute, now) : null;
    this.#tokens = limits.tokensPerMinute ? new Rate(limits.tokensPerMinute, now) : null;
    interruption.listen(() => this.#turnAllAway());
  }

  get concurrency(): number {
    return Math.floor(this.#concurrency);
  }

  /** Null: interrupted while waiting. */
  acquire(tokens: number): Promise<Permit | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ tokens, resolve });
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#active < this.concurrency) {
      const now = this.#clock.now().getTime();
      const { tokens } = this.#waiting[0]!;
      const wait = Math.max(
        this.#pausedUntil - now,
        this.#requests?.waitFor(1, now) ?? 0,
        this.#tokens?.waitFor(tokens, now) ?? 0,
      );
      if (wait > 0) {
        this.#admitLater(wait);
        return;
      }
      this.#requests?.take(1, now);
      this.#tokens?.take(tokens, now);
      this.#active += 1;
      this.#waiting.shift()!.resolve(this.#permit());
    }
  }

  #admitLater(wait: number): void {
    if (this.#timer) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.#clock.sleep(wait, timer.signal).then(
      () => {
        this.#timer = null;
        this.#admit();
      },
      () => {
        this.#timer = null;
      },
    );
  }

  #permit(): Permit {
    let held = true;
    return ({ outcome, pauseMilliseconds, allowance }) => {
      if (!held) return;
      held = false;
      this.#active -= 1;
      const now = this.#clock.now().getTime();
      if (outcome === "answered") {
        this.#concurrency = Math.min(this.#limits.maximumConcurrency, this.#concurrency + 1 / this.#concurrency);
      } else if (outcome === "throttled") {
        this.#slowDown(now);
      }
      const exhausted = allowance && (allowance.remainingRequests === 0 || allowance.remainingTokens === 0);
      const pause = Math.max(pauseMilliseconds ?? 0, exhausted ? (allowance.resetMilliseconds ?? 0) : 0);
      if (pause > 0) this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
      this.#admit();
    };
  }

  #slowDown(now: number): void {
    if (now - this.#slowedAt < SLOWDOWN_EVERY_MILLISECONDS) return;
    this.#slowedAt = now;
    const before = this.concurrency;
    this.#concurrency = Math.max(1, this.#concurrency * SLOWDOWN);
    if (this.concurrency < before) this.#onSlowdown(this.concurrency);
  }

  #turnAllAway(): void {
    this.#timer?.abort();
    for (const { resolve } of this.#waiting.splice(0)) resolve(null);
  }
}
