import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { seededRandom } from "../core/random.ts";
import { Database } from "../store/postgres/database.ts";
import { postgresStore } from "../store/postgres/postgres-store.ts";
import { fleetMetrics } from "./metrics.ts";
import {
  type Claimant,
  claimPiece,
  endAndClaim,
  endPiece,
  type PieceName,
  recoverPieces,
  refuseRun,
  releasePiece,
  type StartedPiece,
  tidy,
} from "./pieces.ts";
import { progressOf } from "./progress.ts";
import {
  closeSharedRun,
  openSharedRun,
  PieceSetAside,
  queuePieces,
  resultsOf,
  type SharedRunRecord,
  setSharedRunState,
  sharedRunState,
} from "./shared-runs.ts";

let postgres: TestPostgres;
let database: Database;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  database = new Database(await postgres.freshDatabase(), { connections: 8 });
  await database.open();
  return () => database.close();
});

const RUN = { version: "1", owner: "ada", priority: 0, maximumCost: null, spentBefore: 0, limits: [] } as const;

const claimant = (worker: string, more: Partial<Claimant> = {}): Claimant => ({
  worker,
  version: "1",
  judges: null,
  ...more,
});

async function worker(id: string, livesFor: number): Promise<Claimant> {
  await database.query(
    `INSERT INTO fabula.workers (id, version, state, seen_at, expires_at)
     VALUES ($1, '1', 'working', clock_timestamp() - interval '1 hour', clock_timestamp() + make_interval(secs => $2))`,
    [id, livesFor],
  );
  return claimant(id);
}

const JOB = { kind: "score-items", options: {}, models: [], prices: null, refresh: false, pace: {} };

async function queued(
  run: string,
  pieces: number,
  { models = [], ...more }: { models?: readonly string[] } & Partial<Pick<SharedRunRecord, "owner" | "priority">> = {},
): Promise<void> {
  const asked = models.map((id) => ({ id, origin: null }));
  const job = { kind: "score-items", options: {}, models: asked, prices: null, refresh: false, pace: {} };
  await openSharedRun(database, { ...RUN, ...more, run, job });
  const drafts = Array.from({ length: pieces }, (_, index) => ({ label: `piece ${index}`, data: { run, index } }));
  await queuePieces(database, { id: run, version: "1" }, drafts, () => {});
}

async function results(run: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const result of resultsOf(database, run)) found.push(result);
  return found;
}

async function takeAll(who: Claimant): Promise<StartedPiece[]> {
  const held: StartedPiece[] = [];
  for (;;) {
    const piece = await claimPiece(database, who, held);
    if (!piece) return held;
    held.push(piece);
  }
}

const secondsAgo = (seconds: number) => new Date(Date.now() - 1000 * seconds).toISOString();

/** A run as a command begins it: this many seconds ago. */
const begun = (run: string, seconds: number) =>
  database.query(
    `INSERT INTO fabula.runs (id, command, folder, status, started_at, worker, seen_at) VALUES ($1, '[]', '', 'running', $2, 'w', $2)
     ON CONFLICT (id) DO UPDATE SET seen_at = $2`,
    [run, secondsAgo(seconds)],
  );

it("counts no run for scaling that workers started for it could not do, for ten minutes or until it is queued again", async () => {
  const wanted = async () =>
    (await database.query("SELECT coalesce(sum(queued + working), 0) AS n FROM fabula.queue WHERE NOT is_stuck"))[0]!.n;
  const seen = (id: string, version: string, started: number, until: number, state = "working") =>
    database.query(
      "INSERT INTO fabula.workers (id, version, state, started_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $5)",
      [id, version, state, secondsAgo(started), secondsAgo(until)],
    );
  await seen("before", "2", 2000, 1);
  await queued("run", 3);
  expect(await wanted()).toBe(3);
  // Workers that were there before it was queued were not started for it.
  await database.query("UPDATE fabula.shared_runs SET queued_at = $1", [secondsAgo(1800)]);
  expect(await wanted()).toBe(3);
  // One that could do it was there until a moment ago; a command that does its own work is no worker.
  await seen("able", "1", 900, 300);
  await seen("own work", "", 500, 1, "alone");
  expect(await wanted()).toBe(3);
  await seen("newest", "2", 30, 1);
  expect(await wanted()).toBe(3);
  await seen("newer", "2", 200, 10);
  expect(await wanted()).toBe(0);
  await seen("able again", "1", 100, 5);
  expect(await wanted()).toBe(3);
  for (const id of ["able", "able again"]) await refuseRun(database, { run: "run", position: 0 }, id, "no key");
  expect(await wanted()).toBe(0);
  expect(await fleetMetrics(database)).toContain("\nfabula_queue_stuck_pieces 3\n");
  // Long after the last of those that could not do it was started, another is tried, although they are still there for other runs.
  await database.query("UPDATE fabula.workers SET started_at = $1 WHERE id <> 'before'", [secondsAgo(660)]);
  expect(await wanted()).toBe(3);
  // One that ended as soon as it saw nothing that it could do.
  await seen("ended", "2", 120, 115, "gone");
  expect(await wanted()).toBe(0);
  await queued("run", 3);
  expect(await wanted()).toBe(3);
});

it("ends a run whose queueing was abandoned, and forgets old workers, rates and refusals", async () => {
  const half = async (run: string, pieces: number, seconds: number) => {
    await begun(run, 0);
    await openSharedRun(database, { ...RUN, run, job: JOB });
    const stopped = async function* () {
      for (let at = 0; at < pieces; at++) yield { label: `piece ${at}`, data: { run, at } };
      throw new Error("killed");
    };
    await queuePieces(database, { id: run, version: "1" }, stopped(), () => {}).catch(() => {});
    await begun(run, seconds);
  };
  await half("abandoned", 0, 4000);
  await half("being queued", 0, 60);
  await half("with work left", 1, 4000);
  await database.query("UPDATE fabula.run_progress SET queued = 1 WHERE run_id = 'with work left'");
  const old = secondsAgo(40 * 24 * 3600);
  await database.query(
    "INSERT INTO fabula.workers (id, version, state, seen_at, expires_at) VALUES ('old', '1', 'gone', $1, $1), ('shown', '1', 'gone', $1, $1)",
    [old],
  );
  await database.query("INSERT INTO fabula.run_workers VALUES ('with work left', 'shown', 0, 1)");
  await database.query("INSERT INTO fabula.refusals VALUES ('with work left', 'old', 'no key')");
  await database.query("INSERT INTO fabula.rates VALUES ('openai', '', 1, NULL, $1)", [old]);
  await tidy(database);
  expect(await sharedRunState(database, "abandoned")).toBe("ended");
  expect(await sharedRunState(database, "being queued")).toBe("open");
  expect(await sharedRunState(database, "with work left")).toBe("open");
  expect(await database.query("SELECT status, note FROM fabula.runs WHERE id = 'abandoned'")).toEqual([
    { status: "stopped", note: expect.stringContaining("queue the rest") },
  ]);
  expect(await database.query("SELECT id FROM fabula.workers")).toEqual([{ id: "shown" }]);
  expect(await database.query("SELECT * FROM fabula.rates")).toEqual([]);
  expect(await database.query("SELECT * FROM fabula.refusals")).toEqual([]);
  // Whoever was asleep and goes on queueing opens it again.
  await queuePieces(database, { id: "abandoned", version: "1" }, [{ label: "piece", data: 1 }], () => {});
  expect(await sharedRunState(database, "abandoned")).toBe("open");
  expect(await database.query("SELECT status, note, finished_at FROM fabula.runs WHERE id = 'abandoned'")).toEqual([
    { status: "running", note: null, finished_at: null },
  ]);
});

it("deletes the inputs of a closed run, but not those of an open one, also when its command was stopped meanwhile", async () => {
  const inputs = async () => (await database.query("SELECT count(*)::int AS n FROM fabula.inputs"))[0]!.n;
  const drafts = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `piece ${at}`, data: { at } }));
  const queue = async (run: string, count: number) => {
    await openSharedRun(database, { ...RUN, run, job: JOB });
    await queuePieces(database, { id: run, version: "1" }, drafts(count), () => {});
  };
  await queue("many", 2300);
  await queue("some", 10);
  await closeSharedRun(database, "many");
  expect(await inputs()).toBe(10);
  await queue("many", 2300);
  expect(await inputs()).toBe(2300);
  await database.query("UPDATE fabula.shared_runs SET state = 'closed' WHERE run_id = 'many'");
  // A worker that leaves does not finish it.
  await tidy(database, AbortSignal.abort());
  expect(await inputs()).toBe(2300);
  await tidy(database);
  expect(await inputs()).toBe(10);
  await closeSharedRun(database, "some");
  expect(await inputs()).toBe(0);
});

it("takes turns by what was begun, not by the clock: after that is set back nobody waits until it is as late again", async () => {
  await queued("a", 9, { owner: "ada" });
  await queued("b", 9, { owner: "ben" });
  const next = async () => {
    const piece = (await claimPiece(database, claimant("w"), []))!;
    await endPiece(database, piece, "w", { result: null, failedCalls: 0 });
    return piece.run;
  };
  const before = [await next(), await next()];
  expect(before.toSorted()).toEqual(["a", "b"]);
  await database.query(
    `CREATE OR REPLACE FUNCTION fabula.now() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE AS $$
       SELECT clock_timestamp() - interval '1 hour' $$`,
  );
  expect([await next(), await next(), await next(), await next()]).toEqual([...before, ...before]);
});

it("a run that is resumed while its result is put together gives no half result, and stays open when that is delivered", async () => {
  await queued("run", 2);
  const [first, second] = await takeAll(claimant("a"));
  await endPiece(database, first!, "a", { result: "whole", failedCalls: 0 });
  await endPiece(database, second!, "a", { result: "with a gap", failedCalls: 1 });
  expect(await results("run")).toEqual(["whole", "with a gap"]);
  // What had a gap is queued again.
  await queued("run", 2);
  await expect(results("run")).rejects.toMatchObject({ code: "E_RUN_BUSY" });
  expect(await closeSharedRun(database, "run", { from: ["ended"] })).toBe(false);
  expect(await sharedRunState(database, "run")).toBe("open");
  const [again] = await takeAll(claimant("b"));
  await endPiece(database, again!, "b", { result: "whole again", failedCalls: 0 });
  expect(await results("run")).toEqual(["whole", "whole again"]);
});

it("a run that ended just before it was to be cancelled keeps what was recorded of its end", async () => {
  await queued("run", 1);
  const [piece] = await takeAll(claimant("a"));
  await endPiece(database, piece!, "a", { result: "done", failedCalls: 0 });
  const record = () => Promise.reject(new Error("recorded as cancelled"));
  expect(await closeSharedRun(database, "run", { from: ["open", "paused"], record })).toBe(false);
  expect(await sharedRunState(database, "run")).toBe("ended");
});

it("lets others queue their work while the inputs of a large run are deleted", async () => {
  const drafts = Array.from({ length: 1500 }, (_, at) => ({ label: `piece ${at}`, data: { at } }));
  await openSharedRun(database, { ...RUN, run: "large", job: JOB });
  await queuePieces(database, { id: "large", version: "1" }, drafts, () => {});
  // Whoever deletes comes to the last input and waits there.
  let closing: Promise<boolean> | null = null;
  const left = async () => (await database.query("SELECT count(*)::int AS n FROM fabula.inputs"))[0]!.n;
  await database.transaction(async (client) => {
    await client.query(
      `SELECT 1 FROM fabula.inputs i JOIN fabula.pieces p ON p.input = i.hash WHERE p.run_id = 'large' AND p.position = 1499
       FOR UPDATE OF i`,
    );
    closing = closeSharedRun(database, "large");
    await expect.poll(left, { timeout: 10_000 }).toBe(500);
    // A worker that tidies up leaves them to it.
    await tidy(database);
  });
  await closing;
  expect(await left()).toBe(0);
});

it("the fleet's count of pieces done never falls, also when they are queued once more", async () => {
  const done = async () => /^fabula_fleet_pieces_done_total (\d+)$/m.exec(await fleetMetrics(database))![1];
  await queued("run", 2);
  for (const piece of await takeAll(claimant("a")))
    await endPiece(database, piece, "a", { result: null, failedCalls: 1 });
  expect(await done()).toBe("2");
  await queued("run", 1);
  expect((await progressOf(database, "run"))!.pieces).toMatchObject({ done: 0, queued: 1 });
  expect(await done()).toBe("2");
  const [again] = await takeAll(claimant("a"));
  await endPiece(database, again!, "a", { result: null, failedCalls: 0 });
  expect(await done()).toBe("3");
});

it("a cap given when a run is resumed counts what was spent without one, and what pieces begun without one still spend", async () => {
  await queued("run", 1);
  const store = postgresStore(database);
  const paid = (key: string, cost: number) => {
    const tokens = { inputTokens: 1, outputTokens: 1 };
    const use = { runId: "run", key, model: "openai:m", purpose: "judge", outcome: "asked" as const, ...tokens };
    return store.recordUses([{ ...use, cost, reason: null, requestHash: null, at: new Date().toISOString() }]);
  };
  const maySpend = async (dollars: number) =>
    (
      await database.query("SELECT granted FROM fabula.share_budget('run', 'b', 0, 0, ARRAY[$1::float8])", [dollars])
    )[0];
  await paid("early", 4);
  await worker("dead", 0);
  await database.query("SELECT fabula.share_budget('run', 'dead', 1, 0, '{}')");
  await openSharedRun(database, { ...RUN, run: "run", job: JOB, maximumCost: 10, spentBefore: 4 });
  await database.query("UPDATE fabula.workers SET state = 'gone'");
  expect(await maySpend(6.5)).toEqual({ granted: 0 });
  await paid("late", 3);
  expect(await maySpend(3.5)).toEqual({ granted: 0 });
  // The dollar that a dead worker had set aside counts beside them.
  expect(await maySpend(2.5)).toEqual({ granted: 0 });
  expect(await maySpend(1.5)).toEqual({ granted: 1 });
});

describe("the queue of pieces", () => {
  it("gives each piece to one of many workers that take at the same time", async () => {
    await queued("run", 60);
    const taken = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => takeAll(claimant(name))));
    const positions = taken.flat().map(({ position }) => position);
    expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  it("lets owners take turns, and the runs of an owner by priority and in turn", async () => {
    await queued("forty books", 40);
    await queued("urgent", 2, { priority: 5 });
    await queued("one book", 1, { owner: "ben" });
    const names: string[] = [];
    const held: PieceName[] = [];
    for (let place = 0; place < 6; place++) {
      const piece = (await claimPiece(database, claimant("a"), held))!;
      held.push(piece);
      names.push(`${piece.run}/${piece.position}`);
    }
    expect(names).toEqual(["urgent/0", "one book/0", "urgent/1", "forty books/0", "forty books/1", "forty books/2"]);
  });

  it("gives an owner with twice the share twice the pieces", async () => {
    await queued("first", 40);
    await queued("second", 40, { owner: "ben" });
    await database.query("INSERT INTO fabula.owner_shares VALUES ('ben', 2)");
    const held: PieceName[] = [];
    for (let place = 0; place < 30; place++) held.push((await claimPiece(database, claimant("a"), held))!);
    expect(held.filter(({ run }) => run === "second")).toHaveLength(20);
  });

  it("gives nothing of a paused run or another version", async () => {
    await queued("open", 2);
    await queued("paused", 2);
    await setSharedRunState(database, "paused", "paused");
    expect(await takeAll(claimant("other", { version: "2" }))).toEqual([]);
    expect((await takeAll(claimant("a"))).map(({ run }) => run)).toEqual(["open", "open"]);
    await setSharedRunState(database, "paused", "open");
    expect(await takeAll(claimant("b"))).toHaveLength(2);
  });

  it("gives a worker only what its models can do, however many models it names", async () => {
    await queued("both", 1, { models: ["openai:m", "openai:n"] });
    await queued("none", 1);
    const many = Array.from({ length: 40 }, (_, index) => `openai:x${index}`);
    expect((await takeAll(claimant("a", { judges: ["openai:m", ...many] }))).map(({ run }) => run)).toEqual(["none"]);
    expect((await takeAll(claimant("b", { judges: ["openai:n", "openai:m"] }))).map(({ run }) => run)).toEqual([
      "both",
    ]);
  });

  it("ends a piece and gives the next at once; asked again, it ends nothing twice and gives the same once more", async () => {
    await queued("run", 2);
    const first = (await claimPiece(database, claimant("a"), []))!;
    const outcome = { result: "one", failedCalls: 0 };
    const next = await endAndClaim(database, first, outcome, claimant("a"), []);
    expect(next).toMatchObject({ run: "run", position: 1, attempts: 1 });
    expect(await endAndClaim(database, first, outcome, claimant("a"), [])).toEqual(next);
    expect(await endAndClaim(database, first, outcome, claimant("b"), [])).toBeNull();
    expect(await endAndClaim(database, next!, outcome, claimant("a"), [])).toBeNull();
    expect((await progressOf(database, "run"))!.pieces).toMatchObject({ queued: 0, working: 0, done: 2 });
    expect(await sharedRunState(database, "run")).toBe("ended");
  });

  it("ends a piece without waiting for a run whose counters somebody else is changing", async () => {
    await queued("one", 1);
    await queued("other", 1, { owner: "ben" });
    const first = (await claimPiece(database, claimant("a"), []))!;
    await database.transaction(async (client) => {
      await client.query("SELECT 1 FROM fabula.run_progress WHERE run_id = 'other' FOR UPDATE");
      expect(await endAndClaim(database, first, { result: null, failedCalls: 0 }, claimant("a"), [])).toBeNull();
    });
    expect(await sharedRunState(database, "one")).toBe("ended");
    expect((await claimPiece(database, claimant("a"), []))!.run).toBe("other");
  });

  it("queues the pieces of a worker that fell silent, and lets it end none of them any more", async () => {
    const silent = await worker("silent", -60);
    const living = await worker("living", 600);
    await queued("run", 2);
    const lost = (await claimPiece(database, silent, []))!;
    const others = await takeAll(living);
    expect(others).toHaveLength(1);
    // The server's start counts as a sign of life of everybody, and it started moments ago.
    await database.query("UPDATE fabula.workers SET seen_at = expires_at - interval '0 seconds' WHERE id = 'silent'");
    expect(await recoverPieces(database)).toEqual(["silent"]);
    // It may have ended its worker: it is done alone.
    expect(await claimPiece(database, living, [{ run: "run", position: 1 }])).toBeNull();
    await endPiece(database, others[0]!, "living", { result: "other", failedCalls: 0 });
    const again = (await claimPiece(database, living, []))!;
    expect(again).toMatchObject({ run: "run", position: lost.position, attempts: 2 });
    await endPiece(database, lost, "silent", { result: "late", failedCalls: 0 });
    await endPiece(database, again, "living", { result: "in time", failedCalls: 0 });
    const [first] = await results("run");
    expect(first).toBe("in time");
  });

  it("gives no piece to a worker that was given up and has not heard of it: that would cost the piece a try", async () => {
    const silent = await worker("silent", -60);
    await database.query("UPDATE fabula.workers SET seen_at = expires_at WHERE id = 'silent'");
    await queued("run", 3);
    const lost = (await claimPiece(database, silent, []))!;
    expect(await recoverPieces(database)).toEqual(["silent"]);
    expect(await claimPiece(database, silent, [])).toBeNull();
    expect(await endAndClaim(database, lost, { result: "late", failedCalls: 0 }, silent, [])).toBeNull();
    await recoverPieces(database);
    const { pieces, crashes } = (await progressOf(database, "run"))!;
    expect([pieces.working, crashes]).toEqual([0, 1]);
  });

  it("has one busy worker promise itself to a piece that lost its worker, while the others go on with fresh pieces", async () => {
    const silent = await worker("silent", -60);
    await database.query("UPDATE fabula.workers SET seen_at = expires_at");
    await queued("run", 10);
    const lost = (await claimPiece(database, silent, []))!;
    const one = await worker("one", 600);
    const other = await worker("other", 600);
    const held = (await claimPiece(database, one, []))!;
    const elsewhere: StartedPiece[] = [(await claimPiece(database, other, []))!];
    await recoverPieces(database);
    const waited = (seconds: number) =>
      database.query(
        "UPDATE fabula.pieces SET queued_at = fabula.now() - make_interval(secs => $1) WHERE attempts > 0 AND state = 'queued'",
        [seconds],
      );
    await waited(3);
    expect(await claimPiece(database, one, [held])).toBeNull();
    elsewhere.push((await claimPiece(database, other, elsewhere))!);
    expect(elsewhere.map(({ attempts }) => attempts)).toEqual([1, 1]);
    // It goes first when the worker is free, whatever else waits.
    await queued("urgent", 1, { owner: "ben" });
    expect(await endAndClaim(database, held, { result: "done", failedCalls: 0 }, one, [])).toMatchObject({
      run: "run",
      position: lost.position,
      attempts: 2,
    });
    elsewhere.push((await claimPiece(database, other, elsewhere))!);
    expect(elsewhere.at(-1)).toMatchObject({ run: "urgent" });
  });

  describe("pieces that lost their worker take their owner's turn", () => {
    /** Pieces of ada's run lost their worker, some seconds ago; ben's are fresh, and nothing is under way. */
    async function lostAndFresh(lost: number, fresh: number): Promise<void> {
      const silent = await worker("silent", -60);
      await database.query("UPDATE fabula.workers SET seen_at = expires_at");
      await queued("lost", lost);
      expect(await takeAll(silent)).toHaveLength(lost);
      await recoverPieces(database);
      await database.query("UPDATE fabula.pieces SET queued_at = $1", [secondsAgo(10)]);
      await queued("fresh", fresh, { owner: "ben" });
    }

    it("where workers hold nothing else, one of theirs and one of another owner's are begun in turn", async () => {
      await lostAndFresh(4, 4);
      const begun: string[] = [];
      for (const name of ["a", "b", "c", "d", "e", "f"]) {
        const { run, attempts } = (await claimPiece(database, await worker(name, 600), []))!;
        begun.push(`${run} ${attempts}`);
      }
      expect(begun.toSorted()).toEqual([...Array(3).fill("fresh 1"), ...Array(3).fill("lost 2")]);
      expect(new Set(begun.slice(0, 2)).size).toBe(2);
    });

    it("where workers hold others, a promise counts as a turn, and the pieces of others are begun meanwhile", async () => {
      await queued("earlier", 4, { owner: "chi" });
      const busy = new Map<Claimant, StartedPiece[]>();
      for (const name of ["a", "b", "c", "d"]) {
        const who = await worker(name, 600);
        busy.set(who, [(await claimPiece(database, who, []))!]);
      }
      await lostAndFresh(6, 6);
      const given: (string | undefined)[] = [];
      for (const [who, held] of busy) given.push((await claimPiece(database, who, held))?.run);
      // Ben has not been served yet. Then two workers promise to do one of ada's pieces each, and it is ben's turn again.
      expect(given).toEqual(["fresh", undefined, undefined, "fresh"]);
      const promises = "SELECT promised_to FROM fabula.pieces WHERE promised_to IS NOT NULL ORDER BY 1";
      expect(await database.query(promises)).toEqual([{ promised_to: "b" }, { promised_to: "c" }]);
      // With another input they are other pieces.
      const drafts = Array.from({ length: 6 }, (_, at) => ({ label: `piece ${at}`, data: "changed" }));
      await queuePieces(database, { id: "lost", version: "1" }, drafts, () => {});
      expect(await database.query(promises)).toEqual([]);
    });
  });

  it("does not rely on the promise of a worker that leaves, and has all workers hold back for a piece that waits too long", async () => {
    const silent = await worker("silent", -60);
    await database.query("UPDATE fabula.workers SET seen_at = expires_at");
    await queued("run", 10);
    await claimPiece(database, silent, []);
    const [leaving, staying, third] = [
      await worker("leaves", 600),
      await worker("stays", 600),
      await worker("third", 600),
    ];
    const held = new Map<Claimant, StartedPiece>();
    for (const who of [leaving, staying, third]) held.set(who, (await claimPiece(database, who, []))!);
    await recoverPieces(database);
    const age = (seconds: number) =>
      database.query(
        "UPDATE fabula.pieces SET queued_at = fabula.now() - make_interval(secs => $1) WHERE state = 'queued'",
        [seconds],
      );
    await age(3);
    expect(await claimPiece(database, leaving, [held.get(leaving)!])).toBeNull();
    await database.query("UPDATE fabula.workers SET state = 'draining' WHERE id = 'leaves'");
    expect(await claimPiece(database, staying, [held.get(staying)!])).toBeNull();
    expect(await claimPiece(database, third, [held.get(third)!])).toMatchObject({ attempts: 1 });
    await age(31);
    expect(await claimPiece(database, third, [held.get(third)!, { run: "run", position: 4 }])).toBeNull();
  });

  it("gives a worker once more what it was given by an answer that got lost", async () => {
    await queued("run", 1);
    await claimPiece(database, claimant("a"), []);
    expect(await claimPiece(database, claimant("b"), [])).toBeNull();
    expect(await claimPiece(database, claimant("a"), [{ run: "run", position: 0 }])).toBeNull();
    expect(await claimPiece(database, claimant("a"), [])).toMatchObject({ run: "run", position: 0 });
  });

  it("drops the result of a piece that was queued again with another input meanwhile", async () => {
    await queued("run", 1);
    const old = (await claimPiece(database, claimant("a"), []))!;
    await queuePieces(database, { id: "run", version: "1" }, [{ label: "changed", data: "new" }], () => {});
    const changed = (await claimPiece(database, claimant("a"), [old]))!;
    await endPiece(database, old, "a", { result: "of the old input", failedCalls: 0 });
    await endPiece(database, changed, "a", { result: "of the new input", failedCalls: 0 });
    expect(await results("run")).toEqual(["of the new input"]);
  });

  it("lets a piece whose input is missing hold up nothing else", async () => {
    await queued("broken", 1);
    await database.query("DELETE FROM fabula.inputs");
    await queued("behind", 1);
    expect((await takeAll(claimant("a"))).map(({ run }) => run)).toEqual(["behind"]);
  });

  it("reads the models of a run whose options hold text that is no JSON to the server", async () => {
    const options = { rubric: "half an emoji: \ud83d" };
    const job = { kind: "score-items", options, models: [], prices: null, refresh: false, pace: {} };
    await openSharedRun(database, { ...RUN, run: "odd", job });
    await queued("plain", 1);
    expect(await takeAll(claimant("a", { judges: ["openai:m"] }))).toHaveLength(1);
  });

  it("gives out again what was given back, and does not count that as an attempt", async () => {
    await queued("run", 1);
    const piece = (await claimPiece(database, claimant("a"), []))!;
    await releasePiece(database, piece, "a");
    expect(await claimPiece(database, claimant("b"), [])).toMatchObject({ position: 0, attempts: 1 });
  });

  it("sets a piece aside that ended its worker three times, with the reason and the worker, and ends the run without it", async () => {
    await queued("run", 2);
    for (const [attempt, name] of ["one", "two", "three"].entries()) {
      const who = await worker(name, -60);
      await database.query("UPDATE fabula.workers SET seen_at = expires_at WHERE id = $1", [name]);
      // The first time it is one of several.
      const pieces = attempt === 0 ? await takeAll(who) : [(await claimPiece(database, who, []))!];
      expect(pieces[0]).toMatchObject({ position: 0, attempts: attempt + 1 });
      if (pieces[1]) await endPiece(database, pieces[1], name, { result: "fine", failedCalls: 0 });
      expect(await recoverPieces(database)).toEqual([name]);
    }
    expect(await claimPiece(database, claimant("four"), [])).toBeNull();
    expect(await sharedRunState(database, "run")).toBe("ended");
    expect(await progressOf(database, "run")).toMatchObject({
      pieces: { total: 2, done: 1, setAside: 1, queued: 0, working: 0 },
      crashes: 3,
      retries: 2,
    });
    const [dead] = await database.query("SELECT state, worker FROM fabula.pieces WHERE position = 0");
    expect(dead).toEqual({ state: "dead", worker: "three" });
    const [first, second] = await results("run");
    expect(first).toBeInstanceOf(PieceSetAside);
    expect((first as PieceSetAside).reason).toBe(
      "it was set aside: its worker ended each of the 3 times it was tried, the last time three",
    );
    expect(second).toBe("fine");
    // Fetching the result does not try it again; resuming what was delivered does.
    const drafts = [0, 1].map((index) => ({ label: `piece ${index}`, data: { run: "run", index } }));
    await queuePieces(database, { id: "run", version: "1" }, drafts, () => {});
    expect(await claimPiece(database, claimant("four"), [])).toBeNull();
    await openSharedRun(database, { ...RUN, run: "run", job: JOB });
    await queuePieces(database, { id: "run", version: "1", retriesSetAside: true }, drafts, () => {});
    expect(await claimPiece(database, claimant("four"), [])).toMatchObject({ position: 0, attempts: 1 });
  });

  it("does not blame a piece for a worker that left in order", async () => {
    await queued("run", 1);
    const who = await worker("leaves", 60);
    await claimPiece(database, who, []);
    await database.query("SELECT fabula.leave_work('leaves')");
    expect(await claimPiece(database, claimant("b"), [])).toMatchObject({ position: 0, attempts: 1 });
    expect((await progressOf(database, "run"))!.crashes).toBe(0);
  });

  it("counts as the pieces themselves do, whatever happens to them, and ends the run with its last piece", async () => {
    const random = seededRandom(7);
    await database.query(
      "INSERT INTO fabula.runs VALUES ('run', '[]', '', 'running', NULL, NULL, '2026', 'w', '2026', NULL)",
    );
    await queued("run", 30);
    const held: StartedPiece[] = [];
    const drafts = (changed: number) =>
      Array.from({ length: 30 }, (_, index) => ({
        label: `piece ${index}`,
        data: { run: "run", index, changed: index < changed },
      }));
    for (let step = 0; step < 200; step++) {
      const piece = held.length > 0 && random() < 0.5 ? held.splice(Math.floor(random() * held.length), 1)[0]! : null;
      if (!piece) {
        const claimed = await claimPiece(database, claimant("a"), held);
        if (claimed) held.push(claimed);
      } else if (random() < 0.3) await releasePiece(database, piece, "a");
      else if (random() < 0.2) await endPiece(database, piece, "a", { reason: "broken" });
      else await endPiece(database, piece, "a", { result: 1, failedCalls: random() < 0.2 ? 1 : 0 });
      if (step % 40 === 39) await queuePieces(database, { id: "run", version: "1" }, drafts(step / 10), () => {});
      const [counted] = await database.query(
        `SELECT count(*) AS total, count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'working') AS working,
           count(*) FILTER (WHERE state = 'done') AS done, count(*) FILTER (WHERE state = 'failed') AS failed,
           count(*) FILTER (WHERE state = 'dead') AS "setAside", count(*) FILTER (WHERE failed_calls > 0) AS "withGaps" FROM fabula.pieces`,
      );
      const progress = (await progressOf(database, "run"))!;
      expect(progress.pieces, `step ${step}`).toEqual(counted);
      const isOver = progress.pieces.queued + progress.pieces.working === 0;
      if (isOver) expect(progress.state).toBe("ended");
      const [row] = await database.query("SELECT coalesce(sum(working), 0) AS working FROM fabula.run_workers");
      expect(row!.working).toBe(progress.pieces.working);
    }
  });
});
