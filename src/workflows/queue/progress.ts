import { z } from "zod";
import { sum } from "../../stats/distribution.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import type { Database } from "../../store/postgres/database.ts";

/** How far the workers are with a run that they share. */
export interface SharedProgress {
  readonly state: "open" | "paused" | "closed";
  readonly version: string;
  readonly pieces: {
    readonly total: number;
    readonly queued: number;
    readonly working: number;
    readonly done: number;
    readonly failed: number;
    /** Done, but with calls that got no answer. */
    readonly withGaps: number;
  };
  /** Those that have a piece of it or finished one. */
  readonly workers: readonly SharedWorker[];
  /** Workers that could take its pieces now. */
  readonly available: number;
  /** Workers that are there but of another version. */
  readonly otherVersions: number;
  /** Workers of this version that are limited to other models. */
  readonly otherJudges: number;
  readonly failures: readonly { readonly label: string; readonly reason: string }[];
}

export interface SharedWorker {
  readonly id: string;
  readonly state: "working" | "draining" | "gone";
  readonly done: number;
  readonly working: number;
  readonly seenAt: string;
}

const runRow = z.object({ state: z.enum(["open", "paused", "closed"]), version: z.string() });
const countRow = z.object({ state: z.string(), pieces: z.number(), gaps: z.number() });
const workerRow = z.object({
  id: z.string(),
  state: z.enum(["working", "draining", "gone"]),
  living: z.boolean(),
  done: z.number(),
  working: z.number(),
  seen_at: z.date(),
});
const presentRow = z.object({ able: z.number(), unable: z.number(), other: z.number() });
const failureRow = z.object({ label: z.string(), reason: z.string() });
const FAILURES_SHOWN = 5;

/** Null when the run is not shared, or the store is a file. */
export async function sharedProgress(location: string, run: string): Promise<SharedProgress | null> {
  if (!isPostgres(location)) return null;
  const { Database: Connections } = await import("../../store/postgres/database.ts");
  const database = new Connections(location, { connections: 1 });
  try {
    return await progressOf(database, run);
  } finally {
    await database.close();
  }
}

export async function progressOf(database: Database, run: string): Promise<SharedProgress | null> {
  const [shared] = await database.query("SELECT state, version FROM fabula.shared_runs WHERE run_id = $1", [run]);
  if (!shared) return null;
  const { state, version } = runRow.parse(shared);
  const counts = (
    await database.query(
      `SELECT state, count(*) AS pieces, count(*) FILTER (WHERE failed_calls > 0) AS gaps
       FROM fabula.pieces WHERE run_id = $1 GROUP BY state`,
      [run],
    )
  ).map((row) => countRow.parse(row));
  const of = (name: string) => counts.find((row) => row.state === name)?.pieces ?? 0;
  const workers = await database.query(
    `SELECT w.id, w.state, w.id IN (SELECT fabula.living_workers()) AS living, w.seen_at,
       count(*) FILTER (WHERE p.state IN ('done', 'failed')) AS done, count(*) FILTER (WHERE p.state = 'working') AS working
     FROM fabula.pieces p JOIN fabula.workers w ON w.id = p.worker
     WHERE p.run_id = $1 GROUP BY w.id ORDER BY w.id`,
    [run],
  );
  const [present] = await database.query(
    `SELECT count(*) FILTER (WHERE r.version = w.version AND fabula.may_ask(w.judges, r.models)) AS able,
       count(*) FILTER (WHERE r.version = w.version AND NOT fabula.may_ask(w.judges, r.models)) AS unable,
       count(*) FILTER (WHERE r.version <> w.version) AS other
     FROM fabula.shared_runs r, fabula.workers w
     WHERE r.run_id = $1 AND w.state = 'working' AND w.id IN (SELECT fabula.living_workers())`,
    [run],
  );
  const { able, unable, other } = presentRow.parse(present);
  const failures = await database.query(
    "SELECT label, reason FROM fabula.pieces WHERE run_id = $1 AND state = 'failed' ORDER BY position LIMIT $2",
    [run, FAILURES_SHOWN],
  );
  return {
    state,
    version,
    pieces: {
      total: sum(counts.map(({ pieces }) => pieces)),
      queued: of("queued"),
      working: of("working"),
      done: of("done"),
      failed: of("failed"),
      withGaps: counts.find((row) => row.state === "done")?.gaps ?? 0,
    },
    workers: workers
      .map((row) => workerRow.parse(row))
      .map(({ living, seen_at, ...row }) => ({
        ...row,
        state: living ? row.state : "gone",
        seenAt: seen_at.toISOString(),
      })),
    available: able,
    otherVersions: other,
    otherJudges: unable,
    failures: failures.map((row) => failureRow.parse(row)),
  };
}
