import { z } from "zod";
import type { Database } from "../store/postgres/database.ts";
import { type JobDocument, jobDocumentSchema } from "./job.ts";
import { forgetInputs } from "./shared-runs.ts";

/** A piece by its names: everything else about it is in the store. */
export interface PieceName {
  readonly run: string;
  readonly position: number;
}

export interface StartedPiece extends PieceName {
  /** The hash of what is to be done: a piece that was queued again with another input is another piece. */
  readonly input: string;
  readonly label: string;
  /** How often it was begun. From the second time on it is done alone, so that it is clear which piece crashed the worker. */
  readonly attempts: number;
  readonly job: JobDocument;
  readonly maximumCost: number | null;
  readonly data: unknown;
}

/**
 * The worker that claims pieces. It gets only those of its version, and those that ask no models other than its judges (null:
 * any).
 */
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

/** Claims the next piece, or null when there is none; `fabula.claim_piece` decides which one. */
export async function claimPiece(
  database: Database,
  { worker, version, judges }: Claimant,
  held: readonly PieceName[],
): Promise<StartedPiece | null> {
  const [row] = await database.query("SELECT * FROM fabula.claim_piece($1, $2, $3, $4, NULL)", [
    worker,
    version,
    judges && JSON.stringify(judges),
    held.map(({ run, position }) => `${run}/${position}`),
  ]);
  return row ? startedPiece(row) : null;
}

function startedPiece(row: unknown): StartedPiece {
  const { run_id, job, body, maximum_cost, ...rest } = startedRow.parse(row);
  return {
    ...rest,
    run: run_id,
    maximumCost: maximum_cost,
    job: jobDocumentSchema.parse(JSON.parse(job)),
    data: JSON.parse(body) as unknown,
  };
}

export type PieceOutcome = { readonly result: unknown; readonly failedCalls: number } | { readonly reason: string };

/** An outcome as it is stored: state, reason, result and failed calls. */
function written(outcome: PieceOutcome): readonly unknown[] {
  if ("reason" in outcome) return ["failed", outcome.reason, null, 0];
  const { result, failedCalls } = outcome;
  return ["done", null, result === undefined ? null : JSON.stringify(result), failedCalls];
}

/** Records how a piece ended, unless it was queued again since: for another worker, or with another input. */
export async function endPiece(
  database: Database,
  { run, position, input }: Pick<StartedPiece, "run" | "position" | "input">,
  worker: string,
  outcome: PieceOutcome,
): Promise<void> {
  await database.query(
    `UPDATE fabula.pieces SET state = $5, reason = $6, result = $7, failed_calls = $8, finished_at = fabula.now()
     WHERE run_id = $1 AND position = $2 AND worker = $3 AND state = 'working' AND input = $4`,
    [run, position, worker, input, ...written(outcome)],
  );
}

/**
 * Ends a piece and claims the next in one statement. Null means that nothing was claimed, not that nothing is left. `held` are
 * the worker's other pieces.
 */
export async function endAndClaim(
  database: Database,
  { run, position, input }: Pick<StartedPiece, "run" | "position" | "input">,
  outcome: PieceOutcome,
  { worker, version, judges }: Claimant,
  held: readonly PieceName[],
): Promise<StartedPiece | null> {
  const [row] = await database.query(
    "SELECT * FROM fabula.end_and_claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    [
      ...[run, position, input, ...written(outcome)],
      ...[worker, version, judges && JSON.stringify(judges), held.map((one) => `${one.run}/${one.position}`)],
    ],
  );
  return row ? startedPiece(row) : null;
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

/** From here on the worker gets no pieces of the run; `fabula runs show` says why. */
export async function refuseRun(database: Database, { run }: PieceName, worker: string, reason: string): Promise<void> {
  await database.query(
    `WITH promises AS (UPDATE fabula.pieces SET promised_to = NULL WHERE run_id = $1 AND state = 'queued' AND promised_to = $2)
     INSERT INTO fabula.refusals (run_id, worker, reason) VALUES ($1, $2, $3) ON CONFLICT (run_id, worker) DO UPDATE SET reason = $3`,
    [run, worker, reason],
  );
}

/** A piece whose worker ended this often is set aside: its run is delivered without it. */
const MOST_ATTEMPTS = 3;

/**
 * Marks workers whose heartbeat timed out as gone, and queues the pieces that they still hold. Returns the workers newly marked.
 * A worker that was only slow notices at its next heartbeat, and stops.
 */
export async function recoverPieces(database: Database): Promise<string[]> {
  const rows = await database.query("SELECT fabula.recover_pieces($1) AS id", [MOST_ATTEMPTS]);
  return rows.map((row) => z.object({ id: z.string() }).parse(row).id);
}

/** Ends runs whose queueing was abandoned, and deletes what old runs and workers left behind. */
export async function tidy(database: Database, end?: AbortSignal): Promise<void> {
  await database.query("SELECT fabula.tidy()");
  // Inputs of runs whose command was stopped while it deleted them.
  const left = await database.query("SELECT run_id FROM fabula.shared_runs WHERE state = 'closed' AND has_inputs");
  for (const { run_id } of left)
    await forgetInputs(database, String(run_id), { leavesToOthers: true, ...(end && { end }) });
}

/** Which of these runs are no longer open: work on them should stop. */
export async function notOpen(database: Database, runs: readonly string[]): Promise<Set<string>> {
  const rows = await database.query(
    "SELECT run_id FROM fabula.shared_runs WHERE run_id = ANY($1) AND state <> 'open'",
    [runs],
  );
  return new Set(rows.map((row) => z.object({ run_id: z.string() }).parse(row).run_id));
}

const queueRow = z.object({
  queued: z.number(),
  working: z.number(),
  stuck: z.number(),
  set_aside: z.number(),
  crashes: z.number(),
  oldest_seconds: z.number(),
});

/** All open runs together, whoever could do them. */
export async function queueState(database: Pick<Database, "query">): Promise<z.infer<typeof queueRow>> {
  const [row] = await database.query(
    `SELECT coalesce(sum(queued), 0) AS queued, coalesce(sum(working), 0) AS working, coalesce(sum(dead), 0) AS set_aside,
       coalesce(sum(queued) FILTER (WHERE is_stuck), 0) AS stuck,
       coalesce(sum(crashes), 0) AS crashes, coalesce(max(oldest_seconds), 0) AS oldest_seconds FROM fabula.queue`,
  );
  return queueRow.parse(row);
}

/** Pieces that this worker could take, or that another is working on. */
export async function countUnfinished(database: Database, { worker, version, judges }: Claimant): Promise<number> {
  const [row] = await database.query(
    `SELECT coalesce(sum(g.queued + g.working), 0) AS count FROM fabula.run_progress g JOIN fabula.shared_runs r USING (run_id)
     WHERE r.state = 'open' AND r.version = $1 AND fabula.may_ask($2, r.models) AND NOT fabula.has_refused($3, r.run_id)`,
    [version, judges && JSON.stringify(judges), worker],
  );
  return z.object({ count: z.number() }).parse(row).count;
}
