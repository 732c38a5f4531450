import { z } from "zod";
import type { Database } from "../../store/postgres/database.ts";
import { type Entrance, type PieceName, queueFor } from "./engine.ts";
import { type JobDocument, jobDocumentSchema } from "./jobs/job.ts";

const startedRow = z.object({
  label: z.string(),
  attempts: z.number().int(),
  job: z.string(),
  version: z.string(),
  maximum_cost: z.number().nullable(),
  body: z.string(),
});

export interface StartedPiece {
  readonly label: string;
  /** How often it was begun: a piece that ends its worker each time must not go round for ever. */
  readonly attempts: number;
  readonly job: JobDocument;
  readonly version: string;
  readonly maximumCost: number | null;
  readonly data: unknown;
}

/** Begins a piece, or gives null when there is nothing to do: it is done, was queued anew, or its run is not open. */
export async function startPiece(database: Database, piece: PieceName, worker: string): Promise<StartedPiece | null> {
  const [row] = await database.query(
    `UPDATE fabula.pieces p
     SET state = 'working', worker = $4, attempts = p.attempts + 1, started_at = clock_timestamp()
     FROM fabula.shared_runs r, fabula.inputs i
     WHERE p.run_id = $1 AND p.position = $2 AND p.round = $3 AND p.state IN ('queued', 'working')
       AND r.run_id = p.run_id AND r.state = 'open' AND i.hash = p.input
     RETURNING p.label, p.attempts, r.job, r.version, r.maximum_cost, i.body`,
    [piece.run, piece.position, piece.round, worker],
  );
  if (!row) return null;
  const { job, body, maximum_cost, ...rest } = startedRow.parse(row);
  return {
    ...rest,
    maximumCost: maximum_cost,
    job: jobDocumentSchema.parse(JSON.parse(job)),
    data: JSON.parse(body) as unknown,
  };
}

export async function endPiece(
  database: Database,
  { run, position, round }: PieceName,
  worker: string,
  outcome: { readonly result: unknown; readonly failedCalls: number } | { readonly reason: string },
): Promise<void> {
  const [state, reason, result, failedCalls] =
    "reason" in outcome
      ? ["failed", outcome.reason, null, 0]
      : ["done", null, outcome.result === undefined ? null : JSON.stringify(outcome.result), outcome.failedCalls];
  await database.query(
    `UPDATE fabula.pieces
     SET state = $5, reason = $6, result = $7, failed_calls = $8, worker = $4, finished_at = clock_timestamp()
     WHERE run_id = $1 AND position = $2 AND round = $3 AND state = 'working'`,
    [run, position, round, worker, state, reason, result, failedCalls],
  );
}

/** Gives a piece back unfinished: queued anew at once, or when its run is opened again. */
export async function giveBack(
  database: Database,
  entrance: Entrance,
  { run, position, round }: PieceName,
  { job, version }: Pick<StartedPiece, "job" | "version">,
): Promise<void> {
  await database.transaction(async (client) => {
    const { rows } = await client.query(
      `UPDATE fabula.pieces p SET state = 'queued', worker = NULL, round = p.round + 1, attempts = p.attempts - 1
       FROM fabula.shared_runs r
       WHERE p.run_id = $1 AND p.position = $2 AND p.round = $3 AND p.state = 'working' AND r.run_id = p.run_id
       RETURNING p.round, r.state`,
      [run, position, round],
    );
    const [given] = z.array(z.object({ round: z.number().int(), state: z.string() })).parse(rows);
    if (given?.state !== "open") return;
    const queue = queueFor(job.models.map(({ id }) => id));
    await entrance.enqueue(client, [{ run, position, round: given.round }], queue, version);
  });
}

/** Of these runs, those that are not open any more: what is under way for them should end. */
export async function notOpen(database: Database, runs: readonly string[]): Promise<Set<string>> {
  const rows = await database.query(
    "SELECT run_id FROM fabula.shared_runs WHERE run_id = ANY($1) AND state <> 'open'",
    [runs],
  );
  return new Set(rows.map((row) => z.object({ run_id: z.string() }).parse(row).run_id));
}

/** Pieces of open runs of this version that nobody has finished. */
export async function countUnfinished(database: Database, version: string): Promise<number> {
  const [row] = await database.query(
    `SELECT count(*) AS count FROM fabula.pieces p JOIN fabula.shared_runs r USING (run_id)
     WHERE r.state = 'open' AND r.version = $1 AND p.state IN ('queued', 'working')`,
    [version],
  );
  return z.object({ count: z.number() }).parse(row).count;
}
