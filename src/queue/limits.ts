import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { isPostgres } from "../store/postgres/address.ts";
import type { Database } from "../store/postgres/database.ts";

/** What all runs together may send to a provider; null: no limit was set. */
export interface ProviderLimits {
  readonly provider: string;
  readonly concurrency: number | null;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

export interface FleetLimits {
  readonly providers: readonly (ProviderLimits & {
    /** Permits to call that workers hold now. */
    readonly held: number;
  })[];
  /** Owners whose share is not 1 or who have an open run, and how many pieces of theirs are being worked on. */
  readonly owners: readonly { readonly owner: string; readonly share: number; readonly working: number }[];
}

type LimitChanges = Partial<Omit<ProviderLimits, "provider">>;

const providerRow = z.object({
  provider: z.string(),
  concurrency: z.number().nullable(),
  requestsPerMinute: z.number().nullable(),
  tokensPerMinute: z.number().nullable(),
  held: z.number(),
});
const ownerRow = z.object({ owner: z.string(), share: z.number(), working: z.number() });

/** Sets the given limits and keeps the others; with `isNew`, those that are not given are removed. */
export function setLimits(location: string, provider: string, changes: LimitChanges, isNew: boolean): Promise<void> {
  const { concurrency = null, requestsPerMinute = null, tokensPerMinute = null } = changes;
  return withDatabase(location, async (database) => {
    await database.query(
      `INSERT INTO fabula.provider_limits AS l VALUES ($1, $2, $3, $4)
       ON CONFLICT (provider) DO UPDATE SET
         concurrency = CASE WHEN $5 THEN $2 ELSE coalesce($2, l.concurrency) END,
         requests_per_minute = CASE WHEN $5 THEN $3 ELSE coalesce($3, l.requests_per_minute) END,
         tokens_per_minute = CASE WHEN $5 THEN $4 ELSE coalesce($4, l.tokens_per_minute) END`,
      [provider, concurrency, requestsPerMinute, tokensPerMinute, isNew],
    );
    await database.query(
      "DELETE FROM fabula.provider_limits WHERE num_nonnulls(concurrency, requests_per_minute, tokens_per_minute) = 0",
    );
  });
}

export function setShare(location: string, owner: string, share: number): Promise<void> {
  return withDatabase(location, async (database) => {
    if (share === 1) await database.query("DELETE FROM fabula.owner_shares WHERE owner = $1", [owner]);
    else
      await database.query(
        "INSERT INTO fabula.owner_shares VALUES ($1, $2) ON CONFLICT (owner) DO UPDATE SET share = $2",
        [owner, share],
      );
  });
}

export function fleetLimits(location: string): Promise<FleetLimits> {
  return withDatabase(location, async (database) => {
    const providers = await database.query(
      `SELECT provider, l.concurrency, l.requests_per_minute AS "requestsPerMinute", l.tokens_per_minute AS "tokensPerMinute",
         coalesce(h.held, 0) AS held
       FROM fabula.provider_limits l FULL JOIN (
         SELECT provider, sum(held) AS held FROM fabula.permits
         WHERE run_id = '' AND worker IN (SELECT fabula.living_workers()) GROUP BY provider HAVING sum(held) > 0) h USING (provider)
       ORDER BY provider`,
    );
    const owners = await database.query(
      `SELECT owner, coalesce(s.share, 1) AS share, coalesce(w.working, 0) AS working
       FROM fabula.owner_shares s FULL JOIN (
         SELECT r.owner, sum(g.working) AS working FROM fabula.shared_runs r JOIN fabula.run_progress g USING (run_id)
         WHERE r.state = 'open' GROUP BY r.owner) w USING (owner)
       ORDER BY owner`,
    );
    return {
      providers: providers.map((row) => providerRow.parse(row)),
      owners: owners.map((row) => ownerRow.parse(row)),
    };
  });
}

async function withDatabase<T>(location: string, work: (database: Database) => Promise<T>): Promise<T> {
  if (!isPostgres(location)) {
    throw new FabulaError(
      "E_USAGE",
      "Limits are set for the workers of a shared store: give it with --store postgres://….",
    );
  }
  const { Database: Connections } = await import("../store/postgres/database.ts");
  const database = new Connections(location, { connections: 2 });
  await database.open();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
