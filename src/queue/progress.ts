import { z } from "zod";
import { isPostgres } from "../store/postgres/address.ts";
import type { Database } from "../store/postgres/database.ts";
import { type SharedRunState, sharedRunStateSchema } from "./shared-runs.ts";

/** The progress of a run that workers share. */
export interface SharedProgress {
  readonly state: SharedRunState;
  readonly version: string;
  readonly owner: string;
  readonly priority: number;
  readonly pieces: {
    readonly total: number;
    readonly queued: number;
    readonly working: number;
    readonly done: number;
    readonly failed: number;
    /** Pieces whose worker ended each time they were tried: the run is delivered without them. */
    readonly setAside: number;
    /** Done, but with calls that got no answer. */
    readonly withGaps: number;
  };
  /** How often a worker ended while it had a piece of this run, and how often a piece was tried again. */
  readonly crashes: number;
  readonly retries: number;
  /** How long the piece that is next has been waiting, in seconds; null when none waits. */
  readonly waitingSeconds: number | null;
  /** The limits that calls wait for now, of all runs together or of this run. */
  readonly limits: readonly { readonly provider: string; readonly on: "calls at a time" | "requests" | "tokens" }[];
  /** Pieces of other owners that workers are busy with. */
  readonly elsewhere: number;
  /** Workers that have or finished a piece of it, latest first. */
  readonly workers: readonly SharedWorker[];
  /** Workers that could take its pieces now. */
  readonly available: number;
  /** Connected workers of another version. */
  readonly otherVersions: number;
  /** Workers of this version that are limited to other models. */
  readonly otherJudges: number;
  /** Workers that cannot do it, and why, the first few. */
  readonly refusals: readonly { readonly worker: string; readonly isPresent: boolean; readonly reason: string }[];
  /** Pieces that failed or were set aside, the first few. */
  readonly failures: readonly { readonly label: string; readonly reason: string }[];
}

export interface SharedWorker {
  readonly id: string;
  readonly state: "working" | "draining" | "gone";
  readonly done: number;
  readonly working: number;
  readonly seenAt: string;
}

const progressRow = z.object({
  state: sharedRunStateSchema,
  version: z.string(),
  owner: z.string(),
  priority: z.number(),
  total: z.number(),
  queued: z.number(),
  working: z.number(),
  done: z.number(),
  failed: z.number(),
  dead: z.number(),
  with_gaps: z.number(),
  crashes: z.number(),
  retries: z.number(),
  waiting_seconds: z.number().nullable(),
  elsewhere: z.number(),
  able: z.number(),
  unable: z.number(),
  other: z.number(),
  workers: z.array(
    z.object({
      id: z.string(),
      state: z.enum(["working", "draining", "gone"]),
      done: z.number(),
      working: z.number(),
      seen_at: z.string(),
    }),
  ),
  limits: z.array(z.object({ provider: z.string(), on: z.enum(["calls at a time", "requests", "tokens"]) })),
  refusals: z.array(z.object({ worker: z.string(), isPresent: z.boolean(), reason: z.string() })),
  failures: z.array(z.object({ label: z.string(), reason: z.string() })),
});
const FAILURES_SHOWN = 5;
const WORKERS_SHOWN = 50;

/** Null when the run is not shared, or the store is a file. */
export async function sharedProgress(location: string, run: string): Promise<SharedProgress | null> {
  if (!isPostgres(location)) return null;
  const { Database: Connections } = await import("../store/postgres/database.ts");
  const database = new Connections(location, { connections: 1 });
  try {
    return await progressOf(database, run);
  } finally {
    await database.close();
  }
}

/**
 * Reads counters, not pieces: it costs the same however many there are. One statement, since many wait for their runs. A rate whose
 * bucket is less than half full is being used as fast as it fills.
 */
export async function progressOf(database: Pick<Database, "query">, run: string): Promise<SharedProgress | null> {
  const [found] = await database.query(
    `WITH living AS MATERIALIZED (SELECT fabula.heard_workers() AS id)
     SELECT r.state, r.version, r.owner, r.priority, g.total, g.queued, g.working, g.done, g.failed, g.dead, g.with_gaps,
       g.crashes, g.retries,
       (SELECT extract(epoch FROM fabula.now() - p.queued_at)::double precision FROM fabula.pieces p
        WHERE p.run_id = r.run_id AND p.state = 'queued' ORDER BY p.position LIMIT 1) AS waiting_seconds,
       (SELECT coalesce(sum(o.working), 0) FROM fabula.shared_runs s JOIN fabula.run_progress o USING (run_id)
        WHERE s.state = 'open' AND s.owner <> r.owner) AS elsewhere,
       (SELECT coalesce(json_agg(l), '[]') FROM (
          SELECT p.provider, 'calls at a time' AS on FROM fabula.permits p
          WHERE p.run_id IN ('', r.run_id) AND p.worker IN (SELECT id FROM living)
          GROUP BY p.provider, p.run_id HAVING sum(p.wanted) > sum(p.held)
          UNION
          SELECT b.provider, unnest(ARRAY[
            CASE WHEN b.requests < greatest(1, 0.01 * m.requests_per_minute) THEN 'requests' END,
            CASE WHEN b.tokens < 0.025 * m.tokens_per_minute THEN 'tokens' END])
          FROM fabula.rates b, LATERAL fabula.limits_of(b.provider, b.run_id) m
          WHERE b.run_id IN ('', r.run_id) AND b.filled_at > fabula.now() - interval '5 seconds'
        ) l JOIN fabula.shared_limits s USING (provider) WHERE s.run_id = r.run_id AND l.on IS NOT NULL AND g.working > 0) AS limits,
       present.*,
       (SELECT coalesce(json_agg(n), '[]') FROM (
          SELECT w.id, CASE WHEN w.id IN (SELECT id FROM living) THEN w.state ELSE 'gone' END AS state, w.seen_at, n.done, n.working
          FROM fabula.run_workers n JOIN fabula.workers w ON w.id = n.worker
          WHERE n.run_id = r.run_id AND n.done + n.working > 0 ORDER BY w.seen_at DESC, w.id LIMIT $2) n) AS workers,
       (SELECT coalesce(json_agg(f), '[]') FROM (
          SELECT worker, worker IN (SELECT id FROM living) AS "isPresent", reason FROM fabula.refusals
          WHERE run_id = r.run_id ORDER BY "isPresent" DESC, worker LIMIT $3) f) AS refusals,
       (SELECT coalesce(json_agg(f), '[]') FROM (
          SELECT label, reason FROM fabula.pieces
          WHERE run_id = r.run_id AND state IN ('failed', 'dead') ORDER BY position LIMIT $3) f) AS failures
     FROM fabula.shared_runs r JOIN fabula.run_progress g USING (run_id),
       LATERAL (SELECT count(*) FILTER (WHERE r.version = w.version AND fabula.may_ask(w.judges, r.models)
            AND NOT fabula.has_refused(w.id, r.run_id)) AS able,
          count(*) FILTER (WHERE r.version = w.version AND NOT fabula.may_ask(w.judges, r.models)) AS unable,
          count(*) FILTER (WHERE r.version <> w.version) AS other
        FROM fabula.workers w WHERE w.state = 'working' AND w.id IN (SELECT id FROM living)) present
     WHERE r.run_id = $1`,
    [run, WORKERS_SHOWN, FAILURES_SHOWN],
  );
  if (!found) return null;
  const row = progressRow.parse(found);
  const { state, version, owner, priority, crashes, retries, elsewhere, waiting_seconds: waitingSeconds } = row;
  const { total, queued, working, done, failed, dead: setAside, with_gaps: withGaps } = row;
  return {
    ...{ state, version, owner, priority },
    pieces: { total, queued, working, done, failed, setAside, withGaps },
    ...{ crashes, retries, waitingSeconds, elsewhere, limits: row.limits },
    workers: row.workers.map(({ seen_at, ...one }) => ({ ...one, seenAt: new Date(seen_at).toISOString() })),
    available: row.able,
    otherVersions: row.other,
    otherJudges: row.unable,
    refusals: row.refusals,
    failures: row.failures,
  };
}
