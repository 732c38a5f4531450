import { afterAll, beforeAll, expect, it } from "vitest";
import { FaultyDatabase } from "../../test/support/faulty-database.ts";
import { startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { registerWorker } from "../runner/shared/membership.ts";
import { Database } from "../store/postgres/database.ts";
import {
  claimPiece,
  countUnfinished,
  endAndClaim,
  endPiece,
  notOpen,
  recoverPieces,
  refuseRun,
  releasePiece,
  tidy,
} from "./pieces.ts";
import { progressOf } from "./progress.ts";
import { closeSharedRun, openSharedRun, queuePieces, resultsOf } from "./shared-runs.ts";

/**
 * The queue under faults: in the life of a small run, first the first statement fails, then the second, and so on to the last.
 */
let postgres: TestPostgres;
let location: string;
let plain: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  location = await postgres.freshDatabase();
  plain = new Database(location, { connections: 2 });
  await plain.open();
});
afterAll(async () => {
  await plain.close();
  await postgres.close();
});

const PIECES = 3;
const JOB = { kind: "any", options: {}, models: [], prices: null, refresh: false, pace: {} };

/** Queues a run, does it, and closes it. What an earlier life has done of it is kept. */
async function live(run: string, id: string, database: Database): Promise<void> {
  const common = { version: run, owner: "", priority: 0, maximumCost: null, spentBefore: 0, limits: [] };
  await openSharedRun(database, { ...common, run, job: JOB });
  const drafts = Array.from({ length: PIECES }, (_, at) => ({ label: `piece ${at}`, data: at }));
  await queuePieces(database, { id: run, version: run }, drafts, () => {});
  const worker = { worker: id, version: run, judges: null };
  const unsuited = { ...worker, worker: `${id}, unsuited` };
  for (const { worker: name } of [worker, unsuited])
    await registerWorker(database, { id: name, version: run, judges: null });
  const refused = await claimPiece(database, unsuited, []);
  if (refused) {
    await refuseRun(database, refused, unsuited.worker, "no key");
    await releasePiece(database, refused, unsuited.worker);
    expect(await claimPiece(database, unsuited, [])).toBeNull();
  }
  for (let piece = await claimPiece(database, worker, []); piece; ) {
    const outcome = { result: piece.data, failedCalls: 0 };
    const next = piece.position > 0 ? await endAndClaim(database, piece, outcome, worker, []) : null;
    if (piece.position === 0) await endPiece(database, piece, id, outcome);
    piece = next ?? (await claimPiece(database, worker, []));
  }
  expect(await countUnfinished(database, worker)).toBe(0);
  expect(await notOpen(database, [run])).toEqual(new Set([run]));
  await recoverPieces(database);
  await tidy(database);
  await closeSharedRun(database, run);
  for (const { worker: name } of [worker, unsuited]) await database.query("SELECT fabula.leave_work($1)", [name]);
}

let runs = 0;
async function begun(): Promise<string> {
  const run = `run ${++runs}`;
  await plain.query(
    `INSERT INTO fabula.runs (id, command, folder, status, started_at, worker, seen_at)
     VALUES ($1, '[]', '', 'running', '2026-01-01', 'w', $2)`,
    [run, new Date().toISOString()],
  );
  return run;
}

async function undisturbed(): Promise<number> {
  const database = new FaultyDatabase(location, 0, "unsent");
  const run = await begun();
  await live(run, `${run} worker`, database);
  await database.close();
  return database.statements;
}

async function expectWhole(run: string, where: string): Promise<void> {
  const results: unknown[] = [];
  for await (const result of resultsOf(plain, run)) results.push(result);
  expect(results, where).toEqual(Array.from({ length: PIECES }, (_, at) => at));
  const { state, pieces } = (await progressOf(plain, run))!;
  expect({ state, ...pieces }, where).toMatchObject({
    state: "closed",
    total: PIECES,
    done: PIECES,
    queued: 0,
    working: 0,
  });
  const [left] = await plain.query(
    `SELECT (SELECT finished FROM fabula.run_progress WHERE run_id = $1) AS finished,
       (SELECT sum(working) FROM fabula.run_workers WHERE run_id = $1) AS working,
       (SELECT count(*) FROM fabula.inputs JOIN fabula.pieces ON input = hash WHERE run_id = $1) AS inputs,
       (SELECT count(*) FROM fabula.workers WHERE version = $1 AND state <> 'gone') AS workers`,
    [run],
  );
  expect(left, where).toEqual({ finished: PIECES, working: 0, inputs: 0, workers: 0 });
}

it.each(["unsent", "unheard", "late"] as const)(
  "whichever statement is %s, every piece is done once and the run ends",
  async (fault) => {
    const statements = await undisturbed();
    expect(statements).toBeGreaterThan(30);
    for (let at = 1; at <= statements; at++) {
      const database = new FaultyDatabase(location, at, fault);
      const run = await begun();
      await live(run, `${run} worker`, database);
      await database.close();
      const where = `statement ${at} of ${statements}`;
      await expectWhole(run, where);
      const attempts = await plain.query("SELECT DISTINCT attempts FROM fabula.pieces WHERE run_id = $1", [run]);
      expect(attempts, where).toEqual([{ attempts: 1 }]);
    }
  },
);

it("wherever the database is lost for good, whoever comes next brings the run to its end, and nothing is done twice", async () => {
  const statements = await undisturbed();
  for (let at = 1; at <= statements; at++) {
    const database = new FaultyDatabase(location, at, "refused");
    const run = await begun();
    await expect(live(run, `${run} worker`, database)).rejects.toThrow();
    await database.close();
    await plain.query("UPDATE fabula.workers SET expires_at = seen_at - interval '1 hour' WHERE version = $1", [run]);
    await recoverPieces(plain);
    await live(run, `${run} next`, plain);
    await expectWhole(run, `statement ${at} of ${statements}`);
  }
});
