import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../store/postgres/database.ts";
import type { Admission, Allotment } from "../limits/limiter.ts";
import type { Membership } from "./membership.ts";

export interface PermitOptions {
  readonly provider: string;
  /** For a run that requests less than all runs together may have, its id; null for the permits of all runs. */
  readonly run: string | null;
  readonly database: Database;
  readonly member: Membership;
  readonly clock: Clock;
  /** The most simultaneous calls of this worker, whatever its share. */
  readonly atMost: number;
  /** The total number of simultaneous calls, if no run sets it and no other process requests more. */
  readonly defaultConcurrency: number;
}

const permitsRow = z.object({
  now_held: z.number().int(),
  now_share: z.number().int(),
  has_rate: z.boolean(),
  ask_again: z.number().int().nullable(),
});
const rateRow = z.object({ granted: z.number().int(), wait_milliseconds: z.number() });

/** How often a worker reports its needs while it has calls, … */
const RENEW_MILLISECONDS = 500;
const SOON_MILLISECONDS = 40;
/** …and how often while part of its share is still held by others, who return it as their calls end. */
const OWED_MILLISECONDS = 100;
/** What it has had no use for during this time goes to the others, who wait for it towards the end of a run. */
const SURPLUS_MILLISECONDS = 200;

/** The highest value within the last one to two spans of time, where each counts until the next is noted. */
class RecentPeak {
  readonly #span: number;
  #since = 0;
  #last = 0;
  #highest = 0;
  #before = 0;

  constructor(milliseconds: number) {
    this.#span = milliseconds;
  }

  note(value: number): void {
    const passed = performance.now() - this.#since;
    if (passed >= this.#span) {
      this.#before = passed >= 2 * this.#span ? this.#last : this.#highest;
      this.#highest = 0;
      this.#since = performance.now();
    }
    this.#highest = Math.max(this.#highest, value);
    this.#last = value;
  }

  highest(value: number): number {
    this.note(value);
    return Math.max(this.#highest, this.#before);
  }
}

interface Part {
  readonly run: string;
  underWay: number;
  more: number;
  wake: () => void;
}

/**
 * A worker's share of one provider's limit, used by all of its pieces. The share is a block of permits that is agreed
 * with the other workers twice a second, so that a call needs no round trip to the database; only for a limited rate
 * are ready calls admitted by the database, together.
 */
export class SharedPermits {
  readonly #options: PermitOptions;
  readonly #parts = new Set<Part>();
  /** Never more than what the database says is held: it falls at once, and rises when agreed. */
  #ceiling = 0;
  #share = 0;
  #starting = 0;
  /** The most that was needed recently, so that a share does not follow every fluctuation. */
  readonly #peak = new RecentPeak(SURPLUS_MILLISECONDS / 2);
  #askedFor = 0;
  #hasRate = true;
  /** The runs whose limits were known at the last agreement. */
  #knownRuns: ReadonlySet<string> = new Set();
  #offering = false;
  /** A run that has used up its own limit waits alone. */
  readonly #notBefore = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #surplusTimer: NodeJS.Timeout | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #agreeing = false;
  #closed = false;
  /** How many calls had to wait for a rate, and how long in total. */
  waits = 0;
  waitedMilliseconds = 0;

  constructor(options: PermitOptions) {
    this.#options = options;
  }

  get provider(): string {
    return this.#options.provider;
  }

  get run(): string | null {
    return this.#options.run;
  }

  get held(): number {
    return this.#ceiling;
  }

  get underWay(): number {
    return this.#sum(({ underWay }) => underWay);
  }

  /** The allotment as one piece of a run sees it. */
  allotment(run: string): Allotment {
    const part: Part = { run, underWay: 0, more: 0, wake: () => {} };
    this.#parts.add(part);
    // It may be the first run with a rate limit, which is known only after the next agreement.
    if (!this.#knownRuns.has(run)) this.#hasRate = true;
    const permits = this;
    return {
      get concurrency() {
        return part.underWay + permits.#free;
      },
      get isHeld() {
        return permits.#options.member.counts;
      },
      admit: (tokens) => this.#admit(run, tokens),
      need: (underWay, more) => {
        if (underWay < part.underWay) this.#offer();
        part.underWay = underWay;
        part.more = more;
        this.#peak.note(this.#wanted);
        this.#settleCeiling();
        if (this.#wanted > this.#askedFor) this.#agree(SOON_MILLISECONDS);
        else this.#returnSurplus();
      },
      listen: (listener) => {
        part.wake = listener;
      },
      close: () => {
        this.#parts.delete(part);
        this.#peak.note(this.#wanted);
        this.#settleCeiling();
        this.#returnSurplus();
      },
    };
  }

  /**
   * For a process that was away and whose permits went to others: it keeps those of its running calls, and requests
   * more.
   */
  giveUp(): void {
    this.#share = 0;
    this.#settleCeiling();
  }

  close(): void {
    this.#closed = true;
    for (const timer of [this.#timer, this.#surplusTimer]) if (timer) clearTimeout(timer);
  }

  get #free(): number {
    return this.#options.member.counts ? this.#ceiling - this.underWay - this.#starting : 0;
  }

  get #wanted(): number {
    return Math.min(
      this.#options.atMost,
      this.#sum(({ underWay, more }) => underWay + more),
    );
  }

  #sum(count: (part: Part) => number): number {
    let sum = 0;
    for (const part of this.#parts) sum += count(part);
    return sum;
  }

  /** If the share has shrunk, each call that ends returns its permit. */
  #settleCeiling(): void {
    const kept = Math.max(this.#share, this.underWay + this.#starting);
    if (kept >= this.#ceiling) return;
    this.#ceiling = kept;
    this.#agree(SOON_MILLISECONDS);
  }

  /** What is not needed for a while goes to the others at once, and not only when needs are reported anyway. */
  #returnSurplus(): void {
    if (this.#surplusTimer || this.#closed || this.#wanted >= this.#ceiling) return;
    this.#surplusTimer = setTimeout(() => {
      this.#surplusTimer = null;
      if (this.#peak.highest(this.#wanted) < this.#ceiling) this.#agree(0);
      else this.#returnSurplus();
    }, SURPLUS_MILLISECONDS);
  }

  /** If its own piece does not need a returned permit, it goes to another piece with waiting calls. */
  #offer(): void {
    if (this.#offering) return;
    this.#offering = true;
    queueMicrotask(() => {
      this.#offering = false;
      for (const part of this.#inTurn()) if (part.more > 0 && this.#free > 0) part.wake();
    });
  }

  /**
   * The piece with the fewest running calls is next, so that one with a thousand calls does not hold up one with ten.
   */
  #inTurn(): Part[] {
    return [...this.#parts].sort((left, right) => left.underWay - right.underWay);
  }

  #agree(within: number): void {
    if (this.#closed) return;
    const at = performance.now() + within;
    if (this.#timer) {
      if (at >= this.#timerAt) return;
      clearTimeout(this.#timer);
    }
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#timerAt = Number.POSITIVE_INFINITY;
      void this.#exchange();
    }, within);
  }

  async #exchange(): Promise<void> {
    if (this.#agreeing) return this.#agree(SOON_MILLISECONDS);
    this.#agreeing = true;
    const { database, provider, member, defaultConcurrency } = this.#options;
    const wanted = this.#peak.highest(this.#wanted);
    this.#askedFor = wanted;
    let askAgain = RENEW_MILLISECONDS;
    const runs = new Set([...this.#parts].map(({ run }) => run));
    try {
      const [row] = await database.query("SELECT * FROM fabula.share_permits($1, $2, $3, $4, $5, $6)", [
        provider,
        this.#options.run ?? "",
        member.id,
        this.#ceiling,
        wanted,
        defaultConcurrency,
      ]);
      const { now_held, now_share, has_rate, ask_again } = permitsRow.parse(row);
      // A new run may have been queued after this lookup.
      this.#hasRate = has_rate || [...this.#parts].some(({ run }) => !runs.has(run));
      this.#knownRuns = runs;
      this.#share = now_share;
      this.#ceiling = now_held;
      if (ask_again !== null && this.#wanted > now_held) askAgain = Math.max(ask_again, OWED_MILLISECONDS);
      this.#settleCeiling();
      this.#wakeAll();
    } catch {
      // Nothing more is sent once the membership has ended; until then, permits remain valid.
    } finally {
      this.#agreeing = false;
    }
    const isOwed = Math.min(this.#share, this.#wanted) > this.#ceiling;
    if (this.#wanted > 0 || this.#ceiling > 0) this.#agree(isOwed ? OWED_MILLISECONDS : askAgain);
  }

  #admit(run: string, tokens: readonly number[]): Admission | Promise<Admission> {
    if (!this.#hasRate) return { admitted: tokens.length, waitMilliseconds: 0 };
    const wait = (this.#notBefore.get(run) ?? 0) - this.#options.clock.now().getTime();
    if (wait > 0) return { admitted: 0, waitMilliseconds: wait };
    return this.#askRate(run, tokens);
  }

  async #askRate(run: string, tokens: readonly number[]): Promise<Admission> {
    this.#starting += tokens.length;
    try {
      const { database, provider, clock } = this.#options;
      const [row] = await database.query("SELECT * FROM fabula.share_rate($1, $2, $3)", [provider, run, tokens]);
      const { granted, wait_milliseconds } = rateRow.parse(row);
      if (wait_milliseconds > 0) {
        this.#notBefore.set(run, clock.now().getTime() + wait_milliseconds);
        this.waits += tokens.length - granted;
        this.waitedMilliseconds += wait_milliseconds;
      }
      return { admitted: granted, waitMilliseconds: Math.ceil(wait_milliseconds) };
    } finally {
      // By then the admitted calls count as running; until then they count here.
      setImmediate(() => {
        this.#starting -= tokens.length;
        this.#wakeAll();
      });
    }
  }

  #wakeAll(): void {
    for (const part of this.#inTurn()) part.wake();
  }
}
