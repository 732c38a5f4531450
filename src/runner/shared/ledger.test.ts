import { afterAll, beforeAll, expect, it } from "vitest";
import { ChargingProvider, countAnswered } from "../../../test/support/charged-calls.ts";
import { FaultyDatabase } from "../../../test/support/faulty-database.ts";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import type { Clock } from "../../core/clock.ts";
import { seededRandom } from "../../core/random.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { Database } from "../../store/postgres/database.ts";
import { postgresStore } from "../../store/postgres/postgres-store.ts";
import { openRun } from "../open-run.ts";
import { Membership } from "./membership.ts";
import { SharedCoordination } from "./shared-coordination.ts";

/**
 * Fault injection for the money, as SQLite tests itself: the same small run, in which first the first statement to
 * the database fails, then the second, and so on to the last; in every way that a statement can fail. After every
 * write to the ledger the database itself checks that the sum of what is spent and reserved stays within the cap.
 */
let postgres: TestPostgres;
let location: string;
let plain: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  location = await postgres.freshDatabase();
  plain = new Database(location, { connections: 2 });
  await plain.open();
  await plain.query(`
    CREATE FUNCTION fabula.check_ledger() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    DECLARE
      cap DOUBLE PRECISION;
      used DOUBLE PRECISION;
    BEGIN
      SELECT r.maximum_cost, r.spent_before + (SELECT sum(s.reserved + s.spent + s.lost) FROM fabula.spending s WHERE s.run_id = r.run_id)
        INTO cap, used FROM fabula.shared_runs r WHERE r.run_id = NEW.run_id;
      IF used > cap * 1.000001 THEN
        INSERT INTO fabula.broken_ledger VALUES (NEW.run_id, used, cap);
      END IF;
      RETURN NULL;
    END
    $$`);
  await plain.query("CREATE TABLE fabula.broken_ledger (run_id TEXT, used DOUBLE PRECISION, cap DOUBLE PRECISION)");
  await plain.query(
    "CREATE TRIGGER check_ledger AFTER INSERT OR UPDATE ON fabula.spending FOR EACH ROW EXECUTE FUNCTION fabula.check_ledger()",
  );
});
afterAll(async () => {
  await plain.close();
  await postgres.close();
});

/** Shortens the time limits for the database as well. */
const began = Date.now();
const clock: Clock = { ...hurriedClock, now: () => new Date(began + 300 * (Date.now() - began)) };

const CALLS = 4;
const CAP = 0.0012;

/** A worker that makes the calls of a run; returns how many were answered. It may fail at any point. */
async function work(run: string, database: Database, model: ChatModel): Promise<{ answered: number; worker: string }> {
  let worker = "";
  let answered = 0;
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const member = await Membership.join({
      ...{ database, version: "1", judges: null, clock: hurriedClock },
      onGivenUp: () => {},
    });
    worker = member.id;
    closing.unshift(() => member.leave());
    const shared = new SharedCoordination({ database, member, clock, concurrency: null });
    closing.unshift(() => shared.close());
    const opened = await openRun(
      { store: location, connections: {}, part: { run, role: "worker" } },
      {
        signal: database instanceof FaultyDatabase ? database.lost.signal : new AbortController().signal,
        clock: hurriedClock,
        random: seededRandom(2),
        store: postgresStore(database),
        coordinate: shared.forRun(run, CAP),
      },
    );
    closing.unshift(() => opened.finish());
    const questions = Array.from({ length: CALLS }, (_, index) => `${run} ${index}`);
    answered = await countAnswered(opened.durable(model), questions);
  } catch {
    // The ledger must account for the money.
  }
  for (const close of closing) await close().catch(() => {});
  return { answered, worker };
}

let runs = 0;
async function openCapped(): Promise<string> {
  const run = `run ${++runs}`;
  await plain.query(
    `INSERT INTO fabula.runs VALUES ($1, '[]', '', 'running', NULL, $2, '2026-01-01', 'w', '2026-01-01', NULL)`,
    [run, CAP],
  );
  await plain.query(
    "INSERT INTO fabula.shared_runs (run_id, version, state, job, maximum_cost, spent_before) VALUES ($1, '1', 'open', '{}', $2, 0)",
    [run, CAP],
  );
  return run;
}

async function ledgerOf(run: string) {
  const [spending] = await plain.query(
    "SELECT coalesce(sum(spent + lost), 0) AS spent, coalesce(sum(reserved), 0) AS reserved FROM fabula.spending WHERE run_id = $1",
    [run],
  );
  const [uses] = await plain.query(
    `SELECT count(*) FILTER (WHERE outcome = 'asked') AS asked, coalesce(sum(cost), 0) AS cost,
       count(*) FILTER (WHERE outcome = 'failed' AND (cost > 0) AND reason IS NULL) AS unexplained
     FROM fabula.uses WHERE run_id = $1`,
    [run],
  );
  const [calls] = await plain.query(
    "SELECT count(*) AS calls FROM fabula.calls c JOIN fabula.uses u USING (key) WHERE u.run_id = $1",
    [run],
  );
  const broken = await plain.query("SELECT * FROM fabula.broken_ledger");
  return { ...spending, ...uses, ...calls, broken } as Record<
    "spent" | "reserved" | "asked" | "cost" | "unexplained" | "calls",
    number
  > & {
    broken: unknown[];
  };
}

/** The number of statements in an undisturbed run. */
async function undisturbed(): Promise<number> {
  const database = new FaultyDatabase(location, 0, "unsent");
  const run = await openCapped();
  const { model } = new ChargingProvider();
  expect((await work(run, database, model)).answered).toBe(CALLS);
  await database.close();
  return database.statements;
}

it.each(["unsent", "unheard"] as const)(
  "whichever statement is %s, every paid call is stored once and counted once",
  async (fault) => {
    const statements = await undisturbed();
    expect(statements).toBeGreaterThan(8);
    for (let at = 1; at <= statements; at++) {
      const database = new FaultyDatabase(location, at, fault);
      const run = await openCapped();
      const asked = new ChargingProvider();
      const { answered } = await work(run, database, asked.model);
      await database.close();
      const ledger = await ledgerOf(run);
      const where = `statement ${at} of ${statements}`;
      expect([answered, asked.replies, ledger.asked, ledger.calls], where).toEqual([CALLS, CALLS, CALLS, CALLS]);
      expect(ledger.spent, where).toBeCloseTo(asked.billed, 9);
      expect(ledger.cost, where).toBeCloseTo(asked.billed, 9);
      expect([ledger.reserved, ledger.unexplained, ledger.broken], where).toEqual([0, 0, []]);
    }
  },
);

it("whenever a worker loses the database for good, what it paid for is stored or counted, and the next keeps to the cap", async () => {
  const statements = await undisturbed();
  for (let at = 1; at <= statements; at++) {
    const database = new FaultyDatabase(location, at, "refused");
    const run = await openCapped();
    const asked = new ChargingProvider();
    const { worker } = await work(run, database, asked.model);
    await database.close();
    await plain.query("UPDATE fabula.workers SET state = 'gone' WHERE id = $1", [worker]);
    const healthy = new Database(location, { connections: 3 });
    await work(run, healthy, asked.model);
    await healthy.close();
    const ledger = await ledgerOf(run);
    const where = `statement ${at} of ${statements}, ${asked.replies} replies`;
    // A dead worker's reservations count as spent, which is never less than what was billed.
    expect(ledger.spent + ledger.reserved, where).toBeGreaterThanOrEqual(asked.billed - 1e-9);
    expect(asked.billed, where).toBeLessThanOrEqual(CAP);
    expect([ledger.unexplained, ledger.broken], where).toEqual([0, []]);
    expect(ledger.calls, where).toBe(ledger.asked);
  }
});

it("whichever reply breaks off after it was charged, the charge is counted with the call that was asked again", async () => {
  for (let reply = 1; reply <= CALLS; reply++) {
    const run = await openCapped();
    const asked = new ChargingProvider({ brokenReply: reply });
    const database = new Database(location, { connections: 3 });
    const { answered } = await work(run, database, asked.model);
    await database.close();
    const ledger = await ledgerOf(run);
    expect([answered, asked.replies, ledger.asked], `reply ${reply}`).toEqual([CALLS, CALLS + 1, CALLS]);
    expect(ledger.spent).toBeGreaterThanOrEqual(asked.billed - 1e-9);
    expect(ledger.cost).toBeCloseTo(ledger.spent, 9);
    expect(ledger.broken).toEqual([]);
  }
});
