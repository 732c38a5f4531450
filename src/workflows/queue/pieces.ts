import { z } from "zod";
import type { Database } from "../../store/postgres/database.ts";
import { type JobDocument, jobDocumentSchema } from "./jobs/job.ts";

/** A piece by its names: everything else about it is in the store. */
export interface PieceName {
  readonly run: string;
  readonly position: number;
}

export interface StartedPiece extends PieceName {
  /** The hash of what is to be done: a piece that was queued again with another input is another piece. */
  readonly input: string;
  readonly label: string;
  /** How often it was begun: a piece that crashes its worker each time must not be retried forever. */
  readonly attempts: number;
  readonly job: JobDocument;
  readonly maximumCost: number | null;
  readonly data: unknown;
}

/** The worker that claims pieces, and which: those of its version that ask no models other than its judges (null: any). */
export interface Claimant {
  readonly worker: string;
  readonly version: string;
  readonly judges: readonly string[] | null;
}

const startedRow = z.object({
  run_id: z.string(),
  position: z.number().int(),
  input: z.string(),
  label: z.string(),
  attempts: z.number().int(),
  job: z.string(),
  maximum_cost: z.number().nullable(),
  body: z.string(),
});

/**
 * Claims the next piece of the oldest open run, or null when there is none. Rows that another worker is claiming right now
 * are skipped, not waited for. A piece that is this worker's in the table but not in its memory was claimed by a statement
 * whose answer got lost, and is claimed again.
 */
export async function claimPiece(
  database: Database,
  { worker, version, judges }: Claimant,
  held: readonly PieceName[],
): Promise<StartedPiece | null> {
  const [row] = await database.query(
    `WITH next AS (
       SELECT r.run_id, r.job, r.maximum_cost, p.position
       FROM (SELECT run_id, job, maximum_cost FROM fabula.shared_runs
             WHERE state = 'open' AND version = $2 AND fabula.may_ask($3, models) ORDER BY queued_at, run_id) r
       CROSS JOIN LATERAL (
         SELECT position FROM fabula.pieces
         WHERE run_id = r.run_id AND state IN ('queued', 'working')
           AND (state = 'queued' OR worker = $1 AND NOT run_id || '/' || position = ANY($4))
           AND EXISTS (SELECT 1 FROM fabula.inputs WHERE hash = input)
         ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED) p
       LIMIT 1)
     UPDATE fabula.pieces p
     SET state = 'working', worker = $1, attempts = p.attempts + 1, started_at = clock_timestamp()
     FROM next, fabula.inputs i
     WHERE p.run_id = next.run_id AND p.position = next.position AND i.hash = p.input
     RETURNING p.run_id, p.position, p.input, p.label, p.attempts, next.job, next.maximum_cost, i.body`,
    [worker, version, judges && JSON.stringify(judges), held.map(({ run, position }) => `${run}/${position}`)],
  );
  if (!row) return null;
  const { run_id, job, body, maximum_cost, ...rest } = startedRow.parse(row);
  return {
    ...rest,
    run: run_id,
    maximumCost: maximum_cost,
    job: jobDocumentSchema.parse(JSON.parse(job)),
    data: JSON.parse(body) as unknown,
  };
}

/** Records how a piece ended, unless it was queued again since: for another worker, or with another input. */
export async function endPiece(
  database: Database,
  { run, position, input }: Pick<StartedPiece, "run" | "position" | "input">,
  worker: string,
  outcome: { readonly result: unknown; readonly failedCalls: number } | { readonly reason: string },
): Promise<void> {
  const [state, reason, result, failedCalls] =
    "reason" in outcome
      ? ["failed", outcome.reason, null, 0]
      : ["done", null, outcome.result === undefined ? null : JSON.stringify(outcome.result), outcome.failedCalls];
  await database.query(
    `UPDATE fabula.pieces SET state = $4, reason = $5, result = $6, failed_calls = $7, finished_at = clock_timestamp()
     WHERE run_id = $1 AND position = $2 AND worker = $3 AND state = 'working' AND input = $8`,
    [run, position, worker, state, reason, result, failedCalls, input],
  );
}

/** Releases an unfinished piece. */
export async function releasePiece(
  database: Database,
  { run, position, input }: Pick<StartedPiece, "run" | "position" | "input">,
  worker: string,
): Promise<void> {
  await database.query(
    `UPDATE fabula.pieces SET state = 'queued', worker = NULL, attempts = attempts - 1
     WHERE run_id = $1 AND position = $2 AND worker = $3 AND state = 'working' AND input = $4`,
    [run, position, worker, input],
  );
}

/**
 * Marks workers whose heartbeat timed out as gone, and queues the pieces that workers who are gone still hold. Returns the
 * workers newly marked. A worker that was only slow learns it at its next heartbeat, and stops.
 */
export async function recoverPieces(database: Database): Promise<string[]> {
  return database.transaction(async (client) => {
    const { rows } = await client.query(
      `UPDATE fabula.workers SET state = 'gone'
       WHERE state <> 'gone' AND id NOT IN (SELECT fabula.living_workers()) RETURNING id`,
    );
    await client.query(
      `UPDATE fabula.pieces p SET state = 'queued', worker = NULL FROM fabula.workers w
       WHERE p.state = 'working' AND w.id = p.worker AND w.state = 'gone'`,
    );
    const gone = z.array(z.object({ id: z.string() })).parse(rows);
    await client.query("DELETE FROM fabula.claims WHERE worker = ANY($1)", [gone.map(({ id }) => id)]);
    return gone.map(({ id }) => id);
  });
}

/** Of these runs, those no longer open: work on them should stop. */
export async function notOpen(database: Database, runs: readonly string[]): Promise<Set<string>> {
  const rows = await database.query(
    "SELECT run_id FROM fabula.shared_runs WHERE run_id = ANY($1) AND state <> 'open'",
    [runs],
  );
  return new Set(rows.map((row) => z.object({ run_id: z.string() }).parse(row).run_id));
}

/** Pieces that this worker could take, or that another is working on. */
export async function countUnfinished(
  database: Database,
  { version, judges }: Pick<Claimant, "version" | "judges">,
): Promise<number> {
  const [row] = await database.query(
    `SELECT count(*) AS count FROM fabula.pieces p JOIN fabula.shared_runs r USING (run_id)
     WHERE r.state = 'open' AND r.version = $1 AND fabula.may_ask($2, r.models) AND p.state IN ('queued', 'working')`,
    [version, judges && JSON.stringify(judges)],
  );
  return z.object({ count: z.number() }).parse(row).count;
}
