import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { Allowance, ChatRequest } from "../../models/chat-model.ts";
import { cappedWait } from "../../models/transport.ts";
import type { Interruption } from "../interruption.ts";
import type { Admission, Allotment } from "./allotment.ts";

export interface Limits {
  /** Calls at a time to begin with, and at most. */
  readonly initialConcurrency: number;
  readonly maximumConcurrency: number;
}

/** How a request ended, for the limiter: `throttled` slows down, `answered` speeds up, `failed` says nothing about load. */
export interface PermitOutcome {
  readonly outcome: "answered" | "throttled" | "failed";
  readonly pauseMilliseconds?: number | null;
  readonly allowance?: Allowance | undefined;
}

export type Permit = (outcome: PermitOutcome) => void;

export interface LimiterListener {
  slowed(concurrency: number): void;
  /** Calls wait because the provider asked for it, or because its headers said that its allowance is used up. */
  paused(askedMilliseconds: number, waitMilliseconds: number): void;
}

interface Waiting {
  readonly tokens: number;
  readonly resolve: (permit: Permit | null) => void;
}

const SLOWDOWN = 0.7;
/** Parallel calls are refused together; together they are one sign of being too fast, not fifty. */
const SLOWDOWN_EVERY_MILLISECONDS = 1000;
/** The shared limit could not be reached: nothing is sent until it is asked again. */
const ALLOTMENT_LOST_MILLISECONDS = 500;

/**
 * How many requests one provider gets at a time. One more for every round that goes well, three tenths fewer when it says
 * "too many", and never more than its allotment; it waits as long as the provider asks and as its rate-limit headers imply.
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

  /** Null: interrupted while waiting. */
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
        // More calls may be waiting by now. When not all could go, the timer or the allotment admits them.
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
/** …and only beginnings at least this long. */
const LEAST_TOKENS = 1024;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Foresees what a provider's prefix cache would hold: how much of a request's beginning was already sent by an earlier one.
 * An estimate, since providers forget and do not promise; what was really cached comes with the reply.
 */
export class PrefixCache {
  readonly #seen = new Set<string>();

  /** The share of the request's text that an earlier request began with. */
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
