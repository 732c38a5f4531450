import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../store/postgres/database.ts";
import type { Coordinate } from "../coordination.ts";
import { limitsOf } from "../limits/gates.ts";
import type { Membership } from "./membership.ts";
import { SharedClaims } from "./shared-claims.ts";
import { SharedPermits } from "./shared-permits.ts";
import { SharedSpending } from "./shared-spending.ts";

export interface SharedOptions {
  readonly database: Database;
  readonly member: Membership;
  readonly clock: Clock;
  /** Calls at a time of this worker, to each provider. */
  readonly concurrency: number | null;
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

  /** For a piece of a run with this cap. */
  forRun(run: string, maximumCost: number | null): Coordinate {
    return ({ interruption }) => ({
      allotment: (provider) => this.#permitsFor(provider).allotment(run),
      spending:
        maximumCost === null
          ? { maximum: null, spent: 0, reserve: async () => ({ settle() {} }) }
          : this.#spendingFor(run, maximumCost).spending(interruption),
      claims: this.#claims.claims(interruption),
    });
  }

  /** Running calls, and calls that had to wait for a rate limit, by provider. */
  load(): { readonly provider: string; readonly underWay: number; readonly waits: number }[] {
    return [...this.#permits].map(([provider, { underWay, waits }]) => ({ provider, underWay, waits }));
  }

  async close(): Promise<void> {
    for (const permits of this.#permits.values()) permits.close();
    await Promise.all([...this.#spending.values()].map((spending) => spending.settled()));
    await this.#claims.close();
  }

  #permitsFor(provider: string): SharedPermits {
    const known = this.#permits.get(provider);
    if (known) return known;
    const { database, member, clock, concurrency } = this.#options;
    const permits = new SharedPermits({
      provider,
      database,
      member,
      clock,
      atMost: concurrency ?? Number.MAX_SAFE_INTEGER,
      otherwise: limitsOf(provider, {}).maximumConcurrency,
    });
    this.#permits.set(provider, permits);
    return permits;
  }

  #spendingFor(run: string, maximum: number): SharedSpending {
    const known = this.#spending.get(run);
    if (known) return known;
    const { database, member, clock } = this.#options;
    const spending = new SharedSpending({ database, run, worker: member.id, maximum, clock });
    this.#spending.set(run, spending);
    return spending;
  }
}
