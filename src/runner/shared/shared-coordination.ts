import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../store/postgres/database.ts";
import { Group } from "../../store/postgres/group.ts";
import type { Claims, Coordinate } from "../coordination.ts";
import type { Interruption } from "../interruption.ts";
import { limitsOf, type PaceSettings } from "../limits/gates.ts";
import type { Allotment } from "../limits/limiter.ts";
import type { Membership } from "./membership.ts";
import { SharedPermits } from "./shared-permits.ts";
import { SharedSpending } from "./shared-spending.ts";

type Claimed = "mine" | "answered" | "elsewhere";

const claimRow = z.object({ claimed_key: z.string(), is_answered: z.boolean() });
const ASK_AGAIN_MILLISECONDS = 200;
const RELEASE_MILLISECONDS = 200;
/**
 * How many calls wait for a permit with their money reserved, so that no permit is idle and the worker requests more
 * as it needs more.
 */
const READY_FOR_A_PERMIT = 2;
const FEWEST_RESERVED = 4;

/**
 * Which worker asks which question: before a call is paid for, its key is claimed. The claims of a dead worker
 * expire.
 */
class SharedClaims {
  readonly #database: Database;
  readonly #worker: string;
  readonly #clock: Clock;
  readonly #asking: Group<string, Claimed>;
  /** Keys held by a piece of this worker. */
  readonly #held = new Set<string>();
  #released: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database, worker: string, clock: Clock) {
    this.#database = database;
    this.#worker = worker;
    this.#clock = clock;
    this.#asking = new Group((keys) => this.#claim(keys), {
      atOnce: 2,
      largest: 500,
      heaviest: 500,
      weight: () => 1,
      identity: (key) => key,
      isCommon: () => true,
    });
  }

  /** The claims as one piece sees them. */
  claims(interruption: Interruption): Claims {
    return {
      take: async (key) => {
        for (;;) {
          if (interruption.happened) return "interrupted";
          if (!this.#held.has(key)) {
            this.#held.add(key);
            const claimed = await this.#asking.add(key).catch((reason: unknown) => {
              this.#held.delete(key);
              throw reason;
            });
            if (claimed !== "elsewhere") return claimed;
            this.#held.delete(key);
          }
          await interruption.sleep(ASK_AGAIN_MILLISECONDS, this.#clock);
        }
      },
      release: (key) => {
        if (!this.#held.delete(key)) return;
        this.#released.push(key);
        this.#timer ??= setTimeout(() => void this.#releaseClaims(), RELEASE_MILLISECONDS);
      },
    };
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#releaseClaims();
  }

  async #claim(keys: readonly string[]): Promise<Claimed[]> {
    const rows = await this.#database.query("SELECT * FROM fabula.claim_calls($1, $2)", [this.#worker, keys]);
    const claimed = new Map(rows.map((row) => claimRow.parse(row)).map((row) => [row.claimed_key, row.is_answered]));
    return keys.map((key) => {
      const isAnswered = claimed.get(key);
      if (isAnswered === undefined) return "elsewhere";
      return isAnswered ? "answered" : "mine";
    });
  }

  async #releaseClaims(): Promise<void> {
    this.#timer = null;
    // Keys that were claimed again in the meantime stay claimed.
    const keys = this.#released.splice(0).filter((key) => !this.#held.has(key));
    if (keys.length === 0) return;
    // If this fails, the claims end with the worker; they are not needed once the answers are stored.
    await this.#database
      .query("DELETE FROM fabula.claims WHERE worker = $1 AND key = ANY($2)", [this.#worker, keys])
      .catch(() => {});
  }
}

/** An allotment limited by both of these. If the first one knows the run's rates too, only it is asked. */
export function both(
  common: Allotment,
  own: Allotment,
  admit: Allotment["admit"] = (tokens) => common.admit(tokens),
): Allotment {
  return {
    get concurrency() {
      return Math.min(common.concurrency, own.concurrency);
    },
    get isHeld() {
      return common.isHeld && own.isHeld;
    },
    admit,
    need(underWay, more) {
      // Does not request from the others what the run may not use. The others hear first about a free permit;
      // otherwise the run's own pieces would take it before any other run is asked.
      common.need(underWay, Math.max(0, Math.min(more, Math.max(own.concurrency, 1) - underWay)));
      own.need(underWay, more);
    },
    listen(listener) {
      common.listen(listener);
      own.listen(listener);
    },
    close() {
      common.close();
      own.close();
    },
  };
}

export interface SharedOptions {
  readonly database: Database;
  readonly member: Membership;
  readonly clock: Clock;
  /** How many simultaneous calls this worker may make to each provider. */
  readonly concurrency: number | null;
  /**
   * The limits requested by a process that does its own work. They apply if the operator sets none and no run
   * requests more.
   */
  readonly pace?: PaceSettings;
}

/** What a worker agrees on with the others, for all the pieces it works on. */
export class SharedCoordination {
  readonly #options: SharedOptions;
  readonly #claims: SharedClaims;
  readonly #permits = new Map<string, SharedPermits>();
  readonly #spending = new Map<string, SharedSpending>();

  constructor(options: SharedOptions) {
    this.#options = options;
    this.#claims = new SharedClaims(options.database, options.member.id, options.clock);
  }

  /**
   * For a piece of a run with this cap; `isLimited` if the run requests fewer simultaneous calls than all runs
   * together may have.
   */
  forRun(run: string, maximumCost: number | null, isLimited = false): Coordinate {
    return ({ interruption }) => ({
      allotment: (provider) => {
        const common = this.#permitsFor(provider, null).allotment(run);
        return isLimited ? both(common, this.#permitsFor(provider, run).allotment(run)) : common;
      },
      spending:
        maximumCost === null
          ? { maximum: null, spent: 0, reserve: async () => ({ settle() {} }) }
          : this.#spendingFor(run).spending(interruption, maximumCost),
      claims: this.#claims.claims(interruption),
    });
  }

  /** Running calls, and calls that had to wait for a rate limit, by provider. */
  load(): Pick<SharedPermits, "provider" | "underWay" | "waits" | "waitedMilliseconds">[] {
    return [...this.#permits.values()]
      .filter(({ run }) => run === null)
      .map(({ provider, underWay, waits, waitedMilliseconds }) => ({ provider, underWay, waits, waitedMilliseconds }));
  }

  /** Called when the permits of this process went to others while it was away. */
  giveUpPermits(): void {
    for (const permits of this.#permits.values()) permits.giveUp();
  }

  async close(): Promise<void> {
    for (const permits of this.#permits.values()) permits.close();
    await Promise.all([...this.#spending.values()].map((spending) => spending.settled()));
    await this.#claims.close();
  }

  #permitsFor(provider: string, run: string | null): SharedPermits {
    const name = JSON.stringify([provider, run]);
    const known = this.#permits.get(name);
    if (known) return known;
    const { database, member, clock, concurrency, pace = {} } = this.#options;
    const permits = new SharedPermits({
      provider,
      run,
      database,
      member,
      clock,
      atMost: concurrency ?? Number.MAX_SAFE_INTEGER,
      defaultConcurrency: Math.max(...[{}, pace].map((asked) => limitsOf(provider, asked).maximumConcurrency)),
    });
    this.#permits.set(name, permits);
    return permits;
  }

  #spendingFor(run: string): SharedSpending {
    const known = this.#spending.get(run);
    if (known) return known;
    const { database, member, clock } = this.#options;
    const spending = new SharedSpending({
      ...{ database, run, worker: member.id, clock },
      mostReserved: () => {
        const held = [...this.#permits.values()].reduce((sum, permits) => sum + permits.held, 0);
        return held * READY_FOR_A_PERMIT + FEWEST_RESERVED;
      },
    });
    this.#spending.set(run, spending);
    return spending;
  }
}
