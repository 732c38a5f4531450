import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { Allowance, ChatRequest } from "../../models/chat-model.ts";
import { cappedWait } from "../../models/transport.ts";
import type { Interruption } from "../interruption.ts";

export interface Limits {
  /** Initial number of simultaneous calls; it may rise to the maximum. */
  readonly initialConcurrency: number;
  readonly maximumConcurrency: number;
}

/**
 * How a request ended, from the limiter's point of view: `throttled` slows down, `answered` speeds up, `failed` says
 * nothing about load.
 */
export interface PermitOutcome {
  readonly outcome: "answered" | "throttled" | "failed";
  readonly pauseMilliseconds?: number | null;
  readonly allowance?: Allowance | undefined;
}

export type Permit = (outcome: PermitOutcome) => void;

export interface LimiterListener {
  slowed(concurrency: number): void;
  /**
   * Called when calls wait because the provider asked for it, or because its headers said that its allowance is used
   * up.
   */
  paused(askedMilliseconds: number, waitMilliseconds: number): void;
}

interface Waiting {
  readonly tokens: number;
  readonly resolve: (permit: Permit | null) => void;
}

const SLOWDOWN = 0.7;
/** Parallel calls that are refused together are one sign of being too fast, not fifty. */
const SLOWDOWN_EVERY_MILLISECONDS = 1000;
/** If the shared limit cannot be reached, nothing is sent until it is asked again. */
const ALLOTMENT_LOST_MILLISECONDS = 500;

/**
 * Limits how many requests one provider gets at a time. The number rises by one for every successful round, falls by
 * three tenths when the provider says "too many", and never exceeds the allotment. The limiter also waits as long as
 * the provider asks and as its rate-limit headers imply.
 */
export class Limiter {
  readonly #limits: Limits;
  readonly #allotment: Allotment;
  readonly #clock: Clock;
  readonly #listener: LimiterListener;
  readonly #waiting: Waiting[] = [];
  #concurrency: number;
  #active = 0;
  #pause = { until: 0, asked: 0 };
  #slowedAt = Number.NEGATIVE_INFINITY;
  #timer: AbortController | null = null;
  #admitting = false;

  constructor(
    limits: Limits,
    allotment: Allotment,
    clock: Clock,
    interruption: Interruption,
    listener: LimiterListener,
  ) {
    this.#limits = limits;
    this.#allotment = allotment;
    this.#clock = clock;
    this.#listener = listener;
    this.#concurrency = limits.initialConcurrency;
    allotment.listen(() => this.#admit());
    interruption.listen(() => this.#rejectAll());
  }

  get concurrency(): number {
    return Math.floor(this.#concurrency);
  }

  /** Null if interrupted while waiting. */
  acquire(tokens: number): Promise<Permit | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ tokens, resolve });
      this.#admit();
    });
  }

  #admit(): void {
    this.#reportDemand();
    if (this.#admitting) return;
    const room = Math.min(this.concurrency, this.#allotment.concurrency) - this.#active;
    const next = this.#waiting.slice(0, Math.max(0, room));
    if (next.length === 0) return;
    const pause = this.#pause.until - this.#clock.now().getTime();
    if (pause > 0) {
      this.#listener.paused(this.#pause.asked, pause);
      this.#admitLater(pause);
      return;
    }
    const admission = this.#allotment.admit(next.map(({ tokens }) => tokens));
    if (!(admission instanceof Promise)) {
      this.#grantPermits(admission);
      return;
    }
    this.#admitting = true;
    admission.then(
      (granted) => {
        this.#admitting = false;
        this.#grantPermits(granted);
        // More calls may be waiting by now. If not all could be sent, the timer or the allotment admits them later.
        if (granted.admitted === next.length) this.#admit();
      },
      () => {
        this.#admitting = false;
        this.#admitLater(ALLOTMENT_LOST_MILLISECONDS);
      },
    );
  }

  #grantPermits({ admitted, waitMilliseconds }: Admission): void {
    for (const { resolve } of this.#waiting.splice(0, admitted)) {
      this.#active += 1;
      resolve(this.#permit());
    }
    this.#reportDemand();
    if (waitMilliseconds !== null && waitMilliseconds > 0) this.#admitLater(waitMilliseconds);
  }

  #reportDemand(): void {
    const wished = Math.min(this.concurrency, this.#active + this.#waiting.length);
    this.#allotment.need(this.#active, Math.max(0, wished - this.#active));
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
      const asked = Math.max(pauseMilliseconds ?? 0, exhausted ? (allowance.resetMilliseconds ?? 0) : 0);
      const until = now + cappedWait(asked);
      if (until > this.#pause.until) this.#pause = { until, asked };
      this.#admit();
    };
  }

  #slowDown(now: number): void {
    if (now - this.#slowedAt < SLOWDOWN_EVERY_MILLISECONDS) return;
    this.#slowedAt = now;
    const before = this.concurrency;
    this.#concurrency = Math.max(1, this.#concurrency * SLOWDOWN);
    if (this.concurrency < before) this.#listener.slowed(this.concurrency);
  }

  #rejectAll(): void {
    this.#timer?.abort();
    for (const { resolve } of this.#waiting.splice(0)) resolve(null);
  }
}

/** Providers cache the beginning of a request in steps of about this many tokens… */
const STEP_TOKENS = 128;
/** …and only beginnings of at least this length. */
const LEAST_TOKENS = 1024;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Estimates what a provider's prefix cache would contain: how much of a request's beginning was already sent in an
 * earlier one. Only an estimate, since providers forget and do not promise; the reply states what was really cached.
 */
export class PrefixCache {
  readonly #seen = new Set<string>();

  /** The share of the request's text that matches the beginning of an earlier one. */
  admit({ messages }: Pick<ChatRequest, "messages">): number {
    const text = messages.map(({ role, content }) => `${role}\n${content}`).join("\n");
    const step = STEP_TOKENS * CHARACTERS_PER_TOKEN;
    const hash = createHash("sha256");
    let known = 0;
    let unbroken = true;
    for (let at = 0; at + step <= text.length; at += step) {
      const prefix = hash
        .update(text.slice(at, at + step))
        .copy()
        .digest("base64");
      unbroken &&= this.#seen.has(prefix);
      if (unbroken) known = at + step;
      this.#seen.add(prefix);
    }
    return known < LEAST_TOKENS * CHARACTERS_PER_TOKEN ? 0 : known / text.length;
  }
}

const MINUTE = 60_000;
/**
 * A full bucket holds this share of a minute's allowance: enough for a burst, too little to use a minute's allowance
 * twice.
 */
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

/** How many of the ready requests may be sent now, and when to ask again if not all of them may. */
export interface Admission {
  readonly admitted: number;
  /** Null if the allotment will notify. */
  readonly waitMilliseconds: number | null;
}

/**
 * What one process may send to a provider at the moment. For a single process, this is the whole limit; if several
 * processes share the limit, it is the agreed share, which changes.
 */
export interface Allotment {
  /** How many calls may run at a time. */
  readonly concurrency: number;
  /**
   * Whether the granted share may still be used: a process that was suspended for a while may have lost its share to
   * others.
   */
  readonly isHeld: boolean;
  /** Called with the tokens of each request that is ready, in order. Those admitted count as sent. */
  admit(tokens: readonly number[]): Admission | Promise<Admission>;
  /** Reports how many calls are running and how many more there could be, from which shares are computed. */
  need(underWay: number, more: number): void;
  /** Called when there may be more than before. */
  listen(listener: () => void): void;
  /** Called when nothing more will be sent. */
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
