import type pg from "pg";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import type { RunEnd } from "../runner/open-run.ts";
import type { Database } from "../store/postgres/database.ts";
import { toSafeText } from "../store/safe-text.ts";
import type { JobDocument } from "./job.ts";

/** A piece before it is queued: a label for people, and what the worker needs, which may be a whole book. */
export interface PieceDraft {
  readonly label: string;
  readonly data: unknown;
  /** The position of the user's input that it belongs to, such as a book. */
  readonly source?: number;
}

/** A piece whose worker ended each time it was tried: its run is delivered without it. */
export class PieceSetAside {
  readonly position: number;
  readonly label: string;
  readonly reason: string;

  constructor({ position, label, reason }: Pick<PieceSetAside, "position" | "label" | "reason">) {
    this.position = position;
    this.label = label;
    this.reason = `it was set aside: ${reason}`;
  }

  get error(): FabulaError {
    return new FabulaError("E_PIECE_SET_ASIDE", `${this.label}: ${this.reason}.`);
  }
}

export interface SharedRunRecord {
  readonly run: string;
  readonly version: string;
  /** The owner of the run: owners take turns. */
  readonly owner: string;
  /** Among the runs of its owner; the highest goes first. */
  readonly priority: number;
  readonly job: JobDocument;
  readonly maximumCost: number | null;
  /** The cost of all its calls until now, those of workers included. */
  readonly spentBefore: number;
  readonly limits: readonly {
    readonly provider: string;
    readonly concurrency: number;
    readonly requestsPerMinute: number | null;
    readonly tokensPerMinute: number | null;
  }[];
}

/** `ended`: no piece is left, and the result waits to be fetched. `closed`: it was delivered, failed or was cancelled. */
export const sharedRunStateSchema = z.enum(["open", "paused", "ended", "closed"]);
export type SharedRunState = z.infer<typeof sharedRunStateSchema>;
const sharedRunRow = z.object({ state: sharedRunStateSchema });
const resultRow = z.object({
  position: z.number().int(),
  state: z.string(),
  label: z.string(),
  reason: z.string().nullable(),
  result: z.string().nullable(),
});

const INPUTS_LOCK = 722_064_113;

/** How many pieces, or characters, go into the store in one transaction. */
const PIECES_TOGETHER = 200;
const CHARACTERS_TOGETHER = 8_000_000;
/** Pieces whose inputs are deleted together. */
const INPUTS_TOGETHER = 1000;

/**
 * Opens the run to the workers, or opens it again with a new cost limit and new rates. It is complete once `queuePieces` has
 * finished.
 */
export async function openSharedRun(database: Database, record: SharedRunRecord): Promise<void> {
  await database.transaction(async (client) => {
    await client.query("INSERT INTO fabula.run_progress (run_id) VALUES ($1) ON CONFLICT DO NOTHING", [record.run]);
    await client.query(
      `INSERT INTO fabula.shared_runs AS r (run_id, version, state, job, models, maximum_cost, spent_before, owner, priority)
       VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $8)
       ON CONFLICT (run_id) DO UPDATE SET version = $2, state = 'open', is_whole = FALSE, has_inputs = TRUE, queued_at = fabula.now(), ended_at = NULL, job = $3, models = $4,
         maximum_cost = $5, owner = $7, priority = $8, spent_before = greatest(r.spent_before, $6 -
           (SELECT coalesce(sum(s.spent + s.reserved), 0) FROM fabula.spending s WHERE s.run_id = r.run_id))`,
      [
        record.run,
        record.version,
        JSON.stringify(record.job),
        JSON.stringify(record.job.models.map(({ id }) => id)),
        record.maximumCost,
        record.spentBefore,
        record.owner,
        record.priority,
      ],
    );
    // Whoever puts an earlier result together may have recorded its end since this was begun.
    await client.query("UPDATE fabula.runs SET status = 'running', note = NULL, finished_at = NULL WHERE id = $1", [
      record.run,
    ]);
    await client.query("DELETE FROM fabula.refusals WHERE run_id = $1", [record.run]);
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

/** Records how a run ended whose result was put together, unless somebody has opened it to the workers again: then it is theirs. */
export async function recordDelivery(
  database: Database,
  run: string,
  { status, note, finishedAt }: RunEnd,
): Promise<void> {
  await database.query(
    `WITH mine AS (SELECT run_id FROM fabula.shared_runs WHERE run_id = $1 AND state IN ('ended', 'closed') FOR UPDATE)
     UPDATE fabula.runs r SET status = $2, note = $3, finished_at = $4 FROM mine WHERE r.id = mine.run_id`,
    [run, status, note === null ? null : toSafeText(note), finishedAt],
  );
}

/** Whether workers may take a run's pieces; null when it was never shared. */
export async function sharedRunState(database: Database, run: string): Promise<SharedRunState | null> {
  const [row] = await database.query("SELECT state FROM fabula.shared_runs WHERE run_id = $1", [run]);
  return row ? sharedRunRow.parse(row).state : null;
}

/**
 * Stores the pieces and queues those that are not done: the first time all of them; later those that changed, failed or had calls
 * without an answer, and, if requested, those that were set aside.
 */
export async function queuePieces(
  database: Database,
  run: { readonly id: string; readonly version: string; readonly retriesSetAside?: boolean },
  drafts: Iterable<PieceDraft> | AsyncIterable<PieceDraft>,
  onQueued: (pieces: number) => void,
): Promise<void> {
  let position = 0;
  for await (const group of together(drafts)) {
    // The version is part of the hash: another one may ask other questions about the same input.
    const rows = group.map(({ label, body }) => {
      return { position: position++, label, body, input: sha256(`${run.version}\n${body}`) };
    });
    await database.transaction(async (client) => {
      await lockInputs(client);
      await client.query(
        `INSERT INTO fabula.inputs (hash, body)
         SELECT DISTINCT ON (i.input) i.input, i.body FROM json_to_recordset($1::json) AS i (input TEXT, body TEXT)
         ORDER BY i.input ON CONFLICT DO NOTHING`,
        [JSON.stringify(rows)],
      );
      await client.query(
        `INSERT INTO fabula.pieces AS p (run_id, position, input, label, state)
         SELECT $1, i.position, i.input, i.label, 'queued'
         FROM json_to_recordset($2::json) AS i (position INTEGER, input TEXT, label TEXT)
         ON CONFLICT (run_id, position) DO UPDATE SET input = excluded.input, label = excluded.label,
           state = 'queued', worker = NULL, attempts = 0, failed_calls = 0, reason = NULL, result = NULL,
           queued_at = fabula.now(), promised_to = NULL
         WHERE p.input <> excluded.input OR p.state = 'failed' OR p.failed_calls > 0 OR p.state = 'dead' AND $3`,
        [run.id, JSON.stringify(rows.map(({ body: _body, ...row }) => row)), run.retriesSetAside ?? false],
      );
      // A run whose queueing has stopped for an hour counts as abandoned.
      await client.query("UPDATE fabula.runs SET seen_at = $2 WHERE id = $1", [run.id, new Date().toISOString()]);
    });
    onQueued(position);
  }
  await database.transaction(async (client) => {
    await client.query("DELETE FROM fabula.pieces WHERE run_id = $1 AND position >= $2", [run.id, position]);
    await client.query("SELECT 1 FROM fabula.run_progress WHERE run_id = $1 FOR UPDATE", [run.id]);
    // It may have been marked as abandoned while this process slept.
    const { rowCount } = await client.query(
      "UPDATE fabula.shared_runs SET state = 'open', ended_at = NULL WHERE run_id = $1 AND state = 'ended'",
      [run.id],
    );
    if (rowCount)
      await client.query("UPDATE fabula.runs SET status = 'running', note = NULL, finished_at = NULL WHERE id = $1", [
        run.id,
      ]);
    // Inputs that were stored after the run was closed are deleted too.
    await client.query("UPDATE fabula.shared_runs SET is_whole = TRUE, has_inputs = TRUE WHERE run_id = $1", [run.id]);
    await client.query("SELECT fabula.end_run_if_over($1)", [run.id]);
  });
}

/** Lets workers take its pieces, or stops them. Unfinished pieces stay queued. */
export async function setSharedRunState(database: Database, run: string, state: "open" | "paused"): Promise<void> {
  await database.query("UPDATE fabula.shared_runs SET state = $2 WHERE run_id = $1 AND state IN ('open', 'paused')", [
    run,
    state,
  ]);
}

/**
 * Closes a run that nobody works on or waits for any longer. `record` stores its end before its inputs are deleted, which takes
 * time. Returns false if the run was in none of the states `from`. "closed" always counts as one of them, because the statement
 * may be sent twice.
 */
export async function closeSharedRun(
  database: Database,
  run: string,
  {
    from = ["open", "paused", "ended"],
    record = async () => {},
  }: { readonly from?: readonly SharedRunState[]; readonly record?: () => Promise<void> } = {},
): Promise<boolean> {
  const closed = await database.query(
    "UPDATE fabula.shared_runs SET state = 'closed' WHERE run_id = $1 AND state = ANY($2) RETURNING run_id",
    [run, [...from, "closed"]],
  );
  if (closed.length === 0) return false;
  await record();
  await forgetInputs(database, run);
  return true;
}

/**
 * Deletes the inputs of a closed run, except those that an open run shares. It works in parts, because nobody can queue anything
 * while a part is being deleted, and a million books take minutes. If this is interrupted, a worker that tidies up deletes the
 * rest.
 */
export async function forgetInputs(
  database: Database,
  run: string,
  { leavesToOthers = false, end }: { readonly leavesToOthers?: boolean; readonly end?: AbortSignal } = {},
): Promise<void> {
  const [row] = await database.query(
    `SELECT queued_at::text, (SELECT max(position) FROM fabula.pieces WHERE run_id = $1) AS last
     FROM fabula.shared_runs WHERE run_id = $1`,
    [run],
  );
  const { queued_at: queuedAt, last } = z
    .object({ queued_at: z.string().nullable(), last: z.number().nullable() })
    .parse(row ?? { queued_at: null, last: null });
  for (let from = 0; from <= (last ?? -1); from += INPUTS_TOGETHER) {
    if (end?.aborted) return;
    const isMine = await database.transaction(async (client) => {
      const { rows } = await client.query(
        leavesToOthers
          ? "SELECT pg_try_advisory_xact_lock(hashtextextended('inputs ' || $1, 0)) AS mine"
          : "SELECT pg_advisory_xact_lock(hashtextextended('inputs ' || $1, 0)) IS NOT NULL AS mine",
        [run],
      );
      if (!rows[0]?.mine) return false;
      await lockInputs(client);
      await client.query(
        `DELETE FROM fabula.inputs i USING fabula.pieces mine
         WHERE mine.run_id = $1 AND mine.position >= $2 AND mine.position < $2 + $3 AND mine.input = i.hash AND NOT EXISTS (
           SELECT 1 FROM fabula.pieces p JOIN fabula.shared_runs r USING (run_id)
           WHERE p.input = i.hash AND r.state <> 'closed')`,
        [run, from, INPUTS_TOGETHER],
      );
      return true;
    });
    // Another process is deleting them.
    if (!isMine) return;
  }
  // A run that was queued again meanwhile has new inputs.
  await database.query(
    "UPDATE fabula.shared_runs SET has_inputs = FALSE WHERE run_id = $1 AND state = 'closed' AND queued_at::text = $2",
    [run, queuedAt],
  );
}

/** Without this lock, one run could delete an input that another has just found stored. */
async function lockInputs(client: pg.ClientBase): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [INPUTS_LOCK]);
}

/** The results of the pieces of an ended run, in order, a page at a time, including those that were set aside. */
export async function* resultsOf(database: Database, run: string): AsyncGenerator<unknown> {
  for (let after = -1; ; ) {
    const rows = await database.query(
      `SELECT position, state, label, reason, result FROM fabula.pieces
       WHERE run_id = $1 AND position > $2 ORDER BY position LIMIT 50`,
      [run, after],
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      const { position, state, label, reason, result } = resultRow.parse(row);
      after = position;
      if (state === "queued" || state === "working") {
        throw new FabulaError(
          "E_RUN_BUSY",
          `Run ${run} was queued again while its result was put together: \`fabula runs resume ${run}\` waits for the new one.`,
        );
      }
      if (state === "dead") yield new PieceSetAside({ position, label, reason: reason ?? "" });
      else yield result === null ? null : (JSON.parse(result) as unknown);
    }
  }
}

const setAsideRow = z.object({ position: z.number().int(), label: z.string(), reason: z.string() });

export async function setAsideOf(database: Database, run: string): Promise<PieceSetAside[]> {
  const rows = await database.query(
    "SELECT position, label, reason FROM fabula.pieces WHERE run_id = $1 AND state = 'dead' ORDER BY position",
    [run],
  );
  return rows.map((row) => new PieceSetAside(setAsideRow.parse(row)));
}

const failureRow = z.object({ label: z.string(), reason: z.string() });

/** The pieces that failed, the first few. */
export async function failuresOf(database: Database, run: string): Promise<z.infer<typeof failureRow>[]> {
  const rows = await database.query(
    "SELECT label, reason FROM fabula.pieces WHERE run_id = $1 AND state = 'failed' ORDER BY position LIMIT 5",
    [run],
  );
  return rows.map((row) => failureRow.parse(row));
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
