import { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import type { Database } from "../../store/postgres/database.ts";
import { type Entrance, idOf, type PieceName, queueFor } from "./engine.ts";
import { type JobDocument, jobDocumentSchema } from "./jobs/job.ts";

/** A piece before it is queued: a label for people, and what the worker needs, which may be a whole book. */
export interface PieceDraft {
  readonly label: string;
  readonly data: unknown;
}

export interface SharedRunRecord {
  readonly run: string;
  readonly version: string;
  readonly job: JobDocument;
  readonly maximumCost: number | null;
  readonly spentBefore: number;
  readonly limits: readonly {
    readonly provider: string;
    readonly concurrency: number;
    readonly requestsPerMinute: number | null;
    readonly tokensPerMinute: number | null;
  }[];
}

const sharedRunRow = z.object({
  version: z.string(),
  state: z.enum(["open", "paused", "closed"]),
  job: z.string(),
  maximum_cost: z.number().nullable(),
});
const pieceRow = z.object({ position: z.number().int(), round: z.number().int() });
const resultRow = z.object({ position: z.number().int(), result: z.string().nullable() });

/** Pieces that go into the store together: as many as these, or as many characters. */
const PIECES_TOGETHER = 200;
const CHARACTERS_TOGETHER = 8_000_000;

/** Opens the run to the workers, or opens it again: a new cap and new limits hold from here on. */
export async function openSharedRun(database: Database, record: SharedRunRecord): Promise<void> {
  await database.transaction(async (client) => {
    await client.query(
      `INSERT INTO fabula.shared_runs AS r (run_id, version, state, job, maximum_cost, spent_before)
       VALUES ($1, $2, 'open', $3, $4, $5)
       ON CONFLICT (run_id) DO UPDATE SET version = $2, state = 'open', job = $3, maximum_cost = $4`,
      [record.run, record.version, JSON.stringify(record.job), record.maximumCost, record.spentBefore],
    );
    await client.query("DELETE FROM fabula.shared_limits WHERE run_id = $1", [record.run]);
    for (const { provider, concurrency, requestsPerMinute, tokensPerMinute } of record.limits) {
      await client.query("INSERT INTO fabula.shared_limits VALUES ($1, $2, $3, $4, $5)", [
        record.run,
        provider,
        concurrency,
        requestsPerMinute,
        tokensPerMinute,
      ]);
    }
  });
}

export async function findSharedRun(database: Database, run: string) {
  const [row] = await database.query(
    "SELECT version, state, job, maximum_cost FROM fabula.shared_runs WHERE run_id = $1",
    [run],
  );
  if (!row) return null;
  const { version, state, job, maximum_cost } = sharedRunRow.parse(row);
  return { version, state, job: jobDocumentSchema.parse(JSON.parse(job)), maximumCost: maximum_cost };
}

/**
 * Writes the pieces down and queues those that are not done: all of them the first time; later those that changed, failed,
 * or had calls without an answer.
 */
export async function queuePieces(
  database: Database,
  entrance: Entrance,
  run: { readonly id: string; readonly version: string; readonly models: readonly string[] },
  drafts: Iterable<PieceDraft> | AsyncIterable<PieceDraft>,
  onQueued: (pieces: number) => void,
): Promise<number> {
  const queue = queueFor(run.models);
  await entrance.openQueue(queue);
  let position = 0;
  for await (const group of together(drafts)) {
    // Another version may ask other questions of the same input: to it, this is another piece.
    const rows = group.map(({ label, body }) => {
      return { position: position++, label, body, input: sha256(`${run.version}\n${body}`) };
    });
    await database.transaction(async (client) => {
      await client.query(
        `INSERT INTO fabula.inputs (hash, body)
         SELECT DISTINCT ON (i.input) i.input, i.body FROM json_to_recordset($1::json) AS i (input TEXT, body TEXT)
         ORDER BY i.input ON CONFLICT DO NOTHING`,
        [JSON.stringify(rows)],
      );
      const { rows: queued } = await client.query(
        `INSERT INTO fabula.pieces AS p (run_id, position, input, label, round, state)
         SELECT $1, i.position, i.input, i.label, 1, 'queued'
         FROM json_to_recordset($2::json) AS i (position INTEGER, input TEXT, label TEXT)
         ON CONFLICT (run_id, position) DO UPDATE SET input = excluded.input, label = excluded.label, round = p.round + 1,
           state = 'queued', worker = NULL, attempts = 0, failed_calls = 0, reason = NULL, result = NULL
         WHERE p.input <> excluded.input OR p.state = 'failed' OR p.failed_calls > 0
         RETURNING p.position, p.round`,
        [run.id, JSON.stringify(rows.map(({ body: _body, ...row }) => row))],
      );
      await entrance.enqueue(client, names(run.id, queued), queue, run.version);
    });
    onQueued(position);
  }
  await database.query("DELETE FROM fabula.pieces WHERE run_id = $1 AND position >= $2", [run.id, position]);
  return position;
}

/**
 * Queues anew what should be in the queue and is not: the queue's own tables were lost, or a store was restored without them.
 */
export async function queueLost(
  database: Database,
  entrance: Entrance,
  run: { readonly id: string; readonly version: string; readonly models: readonly string[] },
): Promise<void> {
  const queue = queueFor(run.models);
  for (let after = -1; ; ) {
    const open = await database.query(
      `SELECT position, round FROM fabula.pieces
       WHERE run_id = $1 AND position > $2 AND state IN ('queued', 'working') ORDER BY position LIMIT $3`,
      [run.id, after, PIECES_TOGETHER],
    );
    const pieces = names(run.id, open);
    if (pieces.length === 0) return;
    after = pieces.at(-1)!.position;
    const alive = await entrance.alive(pieces.map(idOf));
    const missing = pieces.filter((piece) => !alive.has(idOf(piece)));
    if (missing.length === 0) continue;
    await database.transaction(async (client) => {
      // One that ended or was given back in the meantime has another state or round by now.
      const { rows } = await client.query(
        `UPDATE fabula.pieces p SET round = p.round + 1, state = 'queued', worker = NULL
         FROM json_to_recordset($2::json) AS m (position INTEGER, round INTEGER)
         WHERE p.run_id = $1 AND p.position = m.position AND p.round = m.round AND p.state IN ('queued', 'working')
         RETURNING p.position, p.round`,
        [run.id, JSON.stringify(missing)],
      );
      await entrance.enqueue(client, names(run.id, rows), queue, run.version);
    });
  }
}

/** Queues again what is not done: after a pause. */
export async function queueAgain(
  database: Database,
  entrance: Entrance,
  run: { readonly id: string; readonly version: string; readonly models: readonly string[] },
): Promise<void> {
  const queue = queueFor(run.models);
  await database.transaction(async (client) => {
    await client.query("UPDATE fabula.shared_runs SET state = 'open' WHERE run_id = $1", [run.id]);
    const { rows } = await client.query(
      `UPDATE fabula.pieces SET round = round + 1, state = 'queued', worker = NULL
       WHERE run_id = $1 AND state IN ('queued', 'working') RETURNING position, round`,
      [run.id],
    );
    await entrance.enqueue(client, names(run.id, rows), queue, run.version);
  });
}

export async function pauseSharedRun(database: Database, run: string): Promise<void> {
  await database.query("UPDATE fabula.shared_runs SET state = 'paused' WHERE run_id = $1", [run]);
}

/** Nobody needs the inputs of a run that is over; those that an open run shares with it stay. */
export async function closeSharedRun(database: Database, run: string): Promise<void> {
  await database.query("UPDATE fabula.shared_runs SET state = 'closed' WHERE run_id = $1", [run]);
  await database.query(
    `DELETE FROM fabula.inputs i USING fabula.pieces mine
     WHERE mine.run_id = $1 AND mine.input = i.hash AND NOT EXISTS (
       SELECT 1 FROM fabula.pieces p JOIN fabula.shared_runs r USING (run_id)
       WHERE p.input = i.hash AND r.state <> 'closed')`,
    [run],
  );
}

/** What the pieces returned, in order, a page at a time. */
export async function* resultsOf(database: Database, run: string): AsyncGenerator<unknown> {
  for (let after = -1; ; ) {
    const rows = await database.query(
      "SELECT position, result FROM fabula.pieces WHERE run_id = $1 AND position > $2 ORDER BY position LIMIT 50",
      [run, after],
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      const { position, result } = resultRow.parse(row);
      after = position;
      yield result === null ? null : (JSON.parse(result) as unknown);
    }
  }
}

function names(run: string, rows: readonly unknown[]): PieceName[] {
  return rows.map((row) => ({ run, ...pieceRow.parse(row) }));
}

async function* together(drafts: Iterable<PieceDraft> | AsyncIterable<PieceDraft>) {
  let group: { label: string; body: string }[] = [];
  let characters = 0;
  for await (const { label, data } of drafts) {
    const body = JSON.stringify(data);
    if (group.length === PIECES_TOGETHER || (group.length > 0 && characters + body.length > CHARACTERS_TOGETHER)) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push({ label, body });
    characters += body.length;
  }
  if (group.length > 0) yield group;
}
