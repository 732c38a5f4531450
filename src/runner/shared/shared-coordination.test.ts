import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { systemClock } from "../../core/clock.ts";
import { seededRandom } from "../../core/random.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { Database } from "../../store/postgres/database.ts";
import { createSimulatedServer } from "../../testing/index.ts";
import type { Coordination } from "../coordination.ts";
import { Interruption } from "../interruption.ts";
import { Limiter } from "../limits/limiter.ts";
import { ProviderGate } from "../limits/provider-gate.ts";
import { openRun as openStoredRun } from "../open-run.ts";
import { Membership, registerWorker, renewWorker } from "./membership.ts";
import { SharedCoordination } from "./shared-coordination.ts";

let postgres: TestPostgres;
let database: Database;
let location: string;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  location = await postgres.freshDatabase();
  database = new Database(location);
  await database.open();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.close();
});

async function openRun(limits: { run?: string; concurrency?: number; requests?: number; maximumCost?: number } = {}) {
  const { run = "run" } = limits;
  await database.query(
    "INSERT INTO fabula.shared_runs (run_id, version, state, job, maximum_cost, spent_before) VALUES ($2, '1', 'open', '{}', $1, 0)",
    [limits.maximumCost ?? null, run],
  );
  await database.query("INSERT INTO fabula.shared_limits VALUES ($3, 'server', $1, $2, NULL)", [
    limits.concurrency ?? 1000,
    limits.requests ?? null,
    run,
  ]);
}

/** A worker with its own connection, and one piece of the run. */
async function worker(maximumCost: number | null = null) {
  const own = new Database(location, { connections: 3 });
  const member = await Membership.join({
    database: own,
    version: "1",
    judges: null,
    clock: systemClock,
    onGivenUp: () => {},
  });
  const shared = new SharedCoordination({ database: own, member, clock: systemClock, concurrency: null });
  const abort = new AbortController();
  const interruption = new Interruption(abort.signal);
  const another = (run = "run", isLimited = false): Coordination =>
    shared.forRun(run, maximumCost, isLimited)({ interruption, clock: systemClock });
  let left = false;
  const leave = async () => {
    if (left) return;
    left = true;
    abort.abort();
    await shared.close();
    await member.leave();
    await own.close();
  };
  closing.push(leave);
  return { piece: another(), another, member, leave, interruption, abort, own };
}

interface Gauge {
  underWay: number;
  most: number;
  done: number;
  starts: number[];
}

/** Makes calls of this duration through the piece's share of the provider. */
async function call(
  piece: Coordination,
  interruption: Interruption,
  gauge: Gauge,
  calls: number,
  milliseconds: number,
) {
  const allotment = piece.allotment("server");
  const limiter = new Limiter(
    { initialConcurrency: 1000, maximumConcurrency: 1000 },
    allotment,
    systemClock,
    interruption,
    { slowed() {}, paused() {} },
  );
  await Promise.all(
    Array.from({ length: calls }, async () => {
      const permit = await limiter.acquire(1);
      if (!permit) return;
      gauge.underWay += 1;
      gauge.starts.push(performance.now());
      gauge.most = Math.max(gauge.most, gauge.underWay);
      await wait(milliseconds);
      gauge.underWay -= 1;
      gauge.done += 1;
      permit({ outcome: "answered" });
    }),
  );
  allotment.close();
}

/** Whoever asked first no longer leaves anything for others that may begin. */
const aMomentLater = () => database.query("UPDATE fabula.permits SET began_at = began_at - interval '1 second'");

const gauge = (): Gauge => ({ underWay: 0, most: 0, done: 0, starts: [] });

describe("calls at a time", () => {
  it("are shared by all workers, used to the full, and never exceeded, while workers come and go", async () => {
    await openRun({ concurrency: 10 });
    const seen = gauge();
    const [one, two] = [await worker(), await worker()];
    const first = call(one.piece, one.interruption, seen, 60, 60);
    await wait(300);
    const second = call(two.piece, two.interruption, seen, 60, 60);
    await wait(500);
    await two.leave();
    const three = await worker();
    await Promise.all([first, second, call(three.piece, three.interruption, seen, 30, 60)]);
    expect(seen.most).toBe(10);
    expect(seen.done).toBeGreaterThanOrEqual(90);
  });

  it("come back from a worker that is gone", async () => {
    await openRun({ concurrency: 4 });
    const seen = gauge();
    const dead = await worker();
    void call(dead.piece, dead.interruption, seen, 4, 60_000);
    while (seen.underWay < 4) await wait(20);
    const living = await worker();
    const after = gauge();
    const calls = call(living.piece, living.interruption, after, 4, 10);
    await wait(700);
    expect(after.done).toBe(0);
    await database.query("UPDATE fabula.workers SET state = 'gone' WHERE id = $1", [dead.member.id]);
    await calls;
    expect(after.done).toBe(4);
  });

  it("are left for the others for a moment by whoever asks first: when work is queued, all workers begin at once", async () => {
    await openRun({ concurrency: 50 });
    for (const id of ["a", "b", "c", "d"]) await registerWorker(database, { id, version: "1", judges: null });
    const asks = async (id: string, keep: number) =>
      (
        await database.query("SELECT now_held FROM fabula.share_permits('server', 'run', $1, $2, 100, 32)", [id, keep])
      )[0]!.now_held;
    expect([await asks("a", 0), await asks("b", 0), await asks("c", 0)]).toEqual([13, 13, 13]);
    // The last does not begin. A moment later the others have what it would have had.
    await aMomentLater();
    expect(await asks("a", 13)).toBe(17);
    expect(await asks("b", 13)).toBe(17);
    expect(await asks("c", 13)).toBe(16);
  });

  it("are asked for more often while another will soon give some back, all workers together no more often than a full fleet", async () => {
    await openRun({ concurrency: 40 });
    const share = async (id: string, keep: number, wanted: number) => {
      const values = [id, keep, wanted];
      const [row] = await database.query(
        "SELECT now_held, ask_again FROM fabula.share_permits('server', 'run', $1, $2, $3, 32)",
        values,
      );
      return row;
    };
    for (const id of ["a", "b"]) await registerWorker(database, { id, version: "1", judges: null });
    await share("a", 0, 100);
    expect(await share("b", 0, 100)).toEqual({ now_held: 20, ask_again: null });
    await aMomentLater();
    expect(await share("a", 20, 41)).toEqual({ now_held: 20, ask_again: null });
    expect(await share("b", 20, 100)).toEqual({ now_held: 20, ask_again: null });
    await share("a", 20, 39);
    expect(await share("b", 20, 100)).toEqual({ now_held: 20, ask_again: 50 });
    await share("a", 0, 0);
    expect(await share("b", 20, 100)).toEqual({ now_held: 40, ask_again: null });
    await share("a", 0, 100);
    for (let more = 0; more < 30; more++) {
      await registerWorker(database, { id: `w${more}`, version: "1", judges: null });
      await share(`w${more}`, 0, 100);
    }
    await share("b", 20, 20);
    expect(await share("a", 0, 100)).toMatchObject({ ask_again: 500 });
  });

  it("of which a worker has had no use for a moment go back at once, and not after a second", async () => {
    await openRun({ concurrency: 4 });
    const { piece, interruption, own } = await worker();
    const wanted: number[] = [];
    const query = own.query.bind(own);
    own.query = (text, values = []) => {
      if (text.includes("share_permits")) wanted.push(Number(values[4]));
      return query(text, values);
    };
    await call(piece, interruption, gauge(), 1, 700);
    const before = wanted.length;
    await expect.poll(() => wanted.at(-1), { timeout: 20_000 }).toBe(0);
    expect(wanted.slice(before).filter((count) => count > 0).length).toBeLessThanOrEqual(1);
  });

  it("go from a piece that wants no more to one that waits, without asking anybody", async () => {
    await openRun({ concurrency: 4 });
    const { piece, interruption, another } = await worker();
    const held = gauge();
    const holding = call(piece, interruption, held, 4, 1200);
    while (held.underWay < 4) await wait(5);
    const seen = gauge();
    const waiting = call(another(), interruption, seen, 4, 10);
    // While the database is unavailable, permits can only be passed on within the worker.
    await postgres.stop("crash");
    await Promise.all([holding, waiting]);
    expect(seen.done).toBe(4);
    await postgres.start();
  });

  it("keep to requests per minute over all workers", async () => {
    const opened = performance.now();
    await openRun({ requests: 600 });
    const seen = gauge();
    const workers = [await worker(), await worker()];
    await Promise.all(workers.map(({ piece, interruption }) => call(piece, interruption, seen, 25, 5)));
    expect(seen.starts).toHaveLength(50);
    // A bucket of 12 and at most 10 more each second. A busy machine can only start calls later than allowed.
    for (const [before, start] of seen.starts.toSorted((left, right) => left - right).entries())
      expect(before + 1).toBeLessThanOrEqual(12 + (10 * (start - opened)) / 1000);
  });
});

describe("the operator's limits", () => {
  const setByOperator = (concurrency: number | null, requests: number | null) =>
    database.query(
      "INSERT INTO fabula.provider_limits VALUES ('server', $1, $2, NULL) ON CONFLICT (provider) DO UPDATE SET concurrency = $1, requests_per_minute = $2",
      [concurrency, requests],
    );

  it("hold for all runs together, whatever a run asks for, and a run that asks for less slows down only itself", async () => {
    await setByOperator(6, null);
    await openRun({ run: "greedy", concurrency: 500 });
    await openRun({ run: "modest", concurrency: 2 });
    const [one, two] = [await worker(), await worker()];
    const [all, modest] = [gauge(), gauge()];
    const counted: Gauge = {
      ...modest,
      get underWay() {
        return modest.underWay;
      },
      set underWay(value) {
        all.underWay += value - modest.underWay;
        all.most = Math.max(all.most, all.underWay);
        modest.underWay = value;
      },
    };
    await Promise.all([
      call(one.another("greedy", true), one.interruption, all, 40, 60),
      call(two.another("greedy", true), two.interruption, all, 40, 60),
      call(one.another("modest", true), one.interruption, counted, 8, 60),
      call(two.another("modest", true), two.interruption, counted, 8, 60),
    ]);
    expect(all.done + counted.done).toBe(96);
    expect(all.most).toBe(6);
    expect(counted.most).toBeLessThanOrEqual(2);
  });

  it("hold for processes that do their own work on the store, and what one of them held comes back without a worker", async () => {
    await database.query("INSERT INTO fabula.provider_limits VALUES ('openai', 3, NULL, NULL)");
    const gauge = { underWay: 0, most: 0 };
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
    const model: ChatModel = {
      id: "openai:m",
      contextTokens: null,
      async complete() {
        gauge.underWay += 1;
        gauge.most = Math.max(gauge.most, gauge.underWay);
        await wait(20);
        gauge.underWay -= 1;
        return { text: "yes", reasoning: null, stop: "stop", usage, model: "m", latencyMilliseconds: 20 };
      },
    };
    const one = async (name: string) => {
      const signal = new AbortController().signal;
      const run = await openStoredRun({ store: location, connections: {} }, { signal });
      const durable = run.durable(model);
      const asked = Array.from({ length: 10 }, (_, at) =>
        durable.complete(
          { purpose: "judge", sample: 0, maximumTokens: 9, messages: [{ role: "user", content: `${name} ${at}` }] },
          signal,
        ),
      );
      await Promise.all(asked);
      await run.finish();
    };
    // A worker that was killed a minute ago, and there is no other worker to declare it gone.
    await registerWorker(database, { id: "killed", version: "", judges: null, takesPieces: false });
    await database.query(
      "UPDATE fabula.workers SET seen_at = now() - interval '1 minute', expires_at = now() - interval '1 minute'",
    );
    await database.query("INSERT INTO fabula.permits VALUES ('openai', '', 'killed', 3, 3)");
    await Promise.all(["first", "second", "third"].map(one));
    expect(gauge.most).toBe(3);
    expect(await database.query("SELECT id FROM fabula.workers WHERE state <> 'gone'")).toEqual([]);
    expect(await database.query("SELECT * FROM fabula.permits")).toEqual([]);
    const [waited] = await database.query("SELECT seconds FROM fabula.permit_waits WHERE provider = 'openai'");
    expect(waited!.seconds).toBeGreaterThan(0);
  });

  it("of requests hold together with those of a run, and neither is used up for what the other refuses", async () => {
    await setByOperator(null, 6000);
    await openRun({ run: "slow", requests: 60 });
    await openRun({ run: "fast" });
    const rate = async (run: string, calls: number) => {
      const [row] = await database.query("SELECT * FROM fabula.share_rate('server', $1, $2)", [
        run,
        Array.from({ length: calls }, () => 1),
      ]);
      return row as { granted: number; wait_milliseconds: number };
    };
    // Buckets of 120 and of one.
    expect((await rate("slow", 50)).granted).toBe(1);
    const refused = await rate("slow", 50);
    expect(refused.granted).toBe(0);
    expect(refused.wait_milliseconds).toBeGreaterThan(200);
    expect((await rate("fast", 119)).granted).toBe(119);
  });

  it("let a process with work of its own have its share while another asks for more than the default", async () => {
    const share = async (id: string, keep: number, wanted: number, otherwise: number) =>
      (
        await database.query("SELECT now_held, now_share FROM fabula.share_permits('server', '', $1, $2, $3, $4)", [
          ...[id, keep, wanted, otherwise],
        ])
      )[0];
    for (const id of ["greedy", "modest"])
      await registerWorker(database, { id, version: "", judges: null, takesPieces: false });
    expect(await share("greedy", 0, 300, 100)).toEqual({ now_held: 100, now_share: 100 });
    expect(await share("modest", 0, 20, 32)).toEqual({ now_held: 0, now_share: 20 });
    expect(await share("greedy", 80, 300, 100)).toEqual({ now_held: 80, now_share: 80 });
    expect(await share("modest", 0, 20, 32)).toEqual({ now_held: 20, now_share: 20 });
    // A worker that wants nothing says nothing about the others.
    await share("greedy", 0, 0, 100);
    expect(await share("modest", 20, 300, 32)).toEqual({ now_held: 32, now_share: 32 });
  });

  it("that do not divide evenly stay with the same workers, for a provider and for a run's own limit, whatever they want", async () => {
    await openRun({ concurrency: 50 });
    const workers = ["a", "b", "c", "d"];
    for (const id of workers) await registerWorker(database, { id, version: "1", judges: null });
    const share = async (run: string, id: string, wanted: number) =>
      (
        await database.query("SELECT now_share FROM fabula.share_permits('server', $1, $2, 0, $3, 32)", [
          ...[run, id, wanted],
        ])
      )[0]!.now_share;
    const random = seededRandom(3);
    const wish = () => 14 + Math.floor(random() * 60);
    for (const run of ["", "run"]) for (const id of workers) await share(run, id, wish());
    for (let time = 0; time < 20; time++) {
      const usable = [];
      for (const id of workers) usable.push([await share("", id, wish()), await share("run", id, wish())]);
      expect(usable).toEqual([
        [13, 13],
        [13, 13],
        [12, 12],
        [12, 12],
      ]);
    }
    // A worker that wants little gets all of it, and the others get the rest.
    expect(await share("run", "b", 2)).toBe(2);
    expect([await share("run", "a", 50), await share("run", "c", 16), await share("run", "d", 50)]).toEqual([
      16, 16, 16,
    ]);
    // With fewer permits than workers, those that want most get them.
    await database.query("UPDATE fabula.shared_limits SET concurrency = 1");
    expect([await share("run", "a", 20), await share("run", "c", 30), await share("run", "d", 40)]).toEqual([0, 0, 1]);
  });

  it("of somebody's queued run do not slow down a process with work of its own, and those of the operator do", async () => {
    await openRun({ run: "slow", concurrency: 1, requests: 10 });
    await registerWorker(database, { id: "alone", version: "", judges: null, takesPieces: false });
    await registerWorker(database, { id: "worker", version: "1", judges: null });
    const share = async (id: string) =>
      (
        await database.query("SELECT now_held, has_rate FROM fabula.share_permits('server', '', $1, 0, 8, 32)", [id])
      )[0];
    const granted = async (run: string) =>
      (await database.query("SELECT granted FROM fabula.share_rate('server', $1, '{1, 1, 1}')", [run]))[0]!.granted;
    expect(await share("worker")).toEqual({ now_held: 1, has_rate: true });
    expect(await share("alone")).toEqual({ now_held: 8, has_rate: false });
    expect([await granted("own"), await granted("slow"), await granted("slow"), await granted("own")]).toEqual([
      3, 1, 0, 3,
    ]);
    await setByOperator(4, 10);
    await database.query("DELETE FROM fabula.rates");
    expect(await share("alone")).toEqual({ now_held: 2, has_rate: true });
    expect([await granted("own"), await granted("slow")]).toEqual([1, 0]);
  });

  it("count no run that is paused, ended or closed", async () => {
    await openRun({ run: "greedy", concurrency: 50, requests: 900 });
    await openRun({ run: "modest", concurrency: 5, requests: 90 });
    const limits = async () => (await database.query("SELECT * FROM fabula.limits_of('server', '')"))[0];
    expect(await limits()).toEqual({ concurrency: 50, requests_per_minute: 900, tokens_per_minute: null });
    for (const state of ["paused", "ended", "closed"]) {
      await database.query("UPDATE fabula.shared_runs SET state = $1 WHERE run_id = 'greedy'", [state]);
      expect(await limits()).toEqual({ concurrency: 5, requests_per_minute: 90, tokens_per_minute: null });
    }
    await setByOperator(20, null);
    expect(await limits()).toEqual({ concurrency: 20, requests_per_minute: 90, tokens_per_minute: null });
  });
});

describe("a budget over all workers", () => {
  it("is never passed, and is used as far as reservations allow", async () => {
    await openRun({ maximumCost: 10 });
    const random = seededRandom(3);
    let billed = 0;
    let turnedAway = 0;
    const workers = await Promise.all([worker(10), worker(10), worker(10)]);
    await Promise.all(
      workers.flatMap(({ piece }) =>
        Array.from({ length: 20 }, async () => {
          const reservation = await piece.spending.reserve(0.5);
          if (!reservation) {
            turnedAway += 1;
            return;
          }
          await wait(random() * 30);
          const cost = 0.1 + random() * 0.4;
          billed += cost;
          reservation.settle(cost);
        }),
      ),
    );
    expect(billed).toBeLessThanOrEqual(10);
    expect(billed).toBeGreaterThan(9.5);
    expect(turnedAway).toBeGreaterThan(0);
  });

  it("counts as spent what a dead worker had set aside", async () => {
    await openRun({ maximumCost: 1 });
    const dead = await worker(1);
    await dead.piece.spending.reserve(0.7);
    await database.query("UPDATE fabula.workers SET state = 'gone' WHERE id = $1", [dead.member.id]);
    const { piece } = await worker(1);
    expect(await piece.spending.reserve(0.5)).toBeNull();
    expect(await piece.spending.reserve(0.2)).not.toBeNull();
    expect(piece.spending.spent).toBeCloseTo(0.7);
  });

  it("lets go of those who wait when they are interrupted", async () => {
    await openRun({ maximumCost: 1 });
    const [one, two] = [await worker(1), await worker(1)];
    await one.piece.spending.reserve(0.9);
    const waiting = two.piece.spending.reserve(0.9);
    await wait(100);
    two.abort.abort();
    await expect(waiting).rejects.toThrow("interrupted");
  });
});

describe("claims", () => {
  it("let one worker ask at a time, and tell the next whether there is an answer", async () => {
    await openRun();
    const [one, two] = [await worker(), await worker()];
    expect(await one.piece.claims.take("key")).toBe("mine");
    let second: string | null = null;
    const waiting = two.piece.claims.take("key").then((outcome) => {
      second = outcome;
    });
    await wait(500);
    expect(second).toBeNull();
    await database.query(
      `INSERT INTO fabula.calls (key, model, purpose, sample, request_hash, stop, served_by, input_tokens, output_tokens,
         cached_input_tokens, reasoning_tokens, latency_milliseconds, attempts, answered_at, text)
       VALUES ('key', 'm', 'judge', 0, '', 'stop', 'm', 1, 1, 0, 0, 1, 1, '', 'answer')`,
    );
    one.piece.claims.release("key");
    await waiting;
    expect(second).toBe("answered");
  });

  it("of a dead worker expire", async () => {
    await openRun();
    const [dead, living] = [await worker(), await worker()];
    await dead.piece.claims.take("key");
    const waiting = living.piece.claims.take("key");
    await database.query("UPDATE fabula.workers SET state = 'gone' WHERE id = $1", [dead.member.id]);
    expect(await waiting).toBe("mine");
  });
});

it("a restart of the server gives every worker time to say that it is alive", async () => {
  await openRun({ concurrency: 4 });
  const seen = gauge();
  const { piece, interruption, member } = await worker();
  const calls = call(piece, interruption, seen, 8, 1500);
  while (seen.underWay < 4) await wait(20);
  await postgres.restart("crash");
  // As if it had been silent for longer than allowed, because there was nobody to report to.
  await database.query(
    "UPDATE fabula.workers SET expires_at = expires_at - interval '1 minute', seen_at = seen_at - interval '1 minute'",
  );
  expect((await database.query("SELECT fabula.heard_workers() AS id")).map(({ id }) => id)).toEqual([member.id]);
  await calls;
  expect([seen.done, seen.most]).toEqual([8, 4]);
});

describe("a worker that was not heard for too long", () => {
  const silence = (id: string) =>
    database.query("UPDATE fabula.workers SET expires_at = fabula.now(), seen_at = fabula.now() WHERE id = $1", [id]);
  const permitsOf = async (id: string, keep: number) =>
    (await database.query("SELECT now_held FROM fabula.share_permits('server', '', $1, $2, 4, 4)", [id, keep]))[0]!
      .now_held;
  const claimsOf = async (id: string) =>
    (await database.query("SELECT claimed_key FROM fabula.claim_calls($1, '{key}')", [id])).length;
  const recover = async () =>
    (await database.query("SELECT fabula.recover_pieces(3) AS id")).map(({ id }) => id as string);

  it("keeps all it holds until it is declared gone, and loses all of it then: heard again in between, it may go on", async () => {
    await openRun({ concurrency: 4, maximumCost: 1 });
    for (const id of ["late", "other"]) await registerWorker(database, { id, version: "1", judges: null });
    const reserve = async (id: string, wanted: number) =>
      (await database.query("SELECT granted FROM fabula.share_budget('run', $1, 0, 0, $2)", [id, [wanted]]))[0]!
        .granted;
    await permitsOf("late", 0);
    await aMomentLater();
    expect([await permitsOf("late", 0), await claimsOf("late"), await reserve("late", 0.9)]).toEqual([4, 1, 1]);
    await silence("late");
    expect([await permitsOf("other", 0), await claimsOf("other"), await reserve("other", 0.9)]).toEqual([0, 0, 0]);
    expect(await renewWorker(database, "late")).toBe(true);
    expect(await permitsOf("late", 4)).toBe(4);
    expect(await recover()).toEqual([]);
    await silence("late");
    expect(await recover()).toEqual(["late"]);
    expect(await renewWorker(database, "late")).toBe(false);
    expect([await permitsOf("other", 0), await claimsOf("other")]).toEqual([4, 1]);
  });

  it("sends nothing that was granted before it stood still, once the others have taken over", async () => {
    await openRun({ requests: 600 });
    const server = await createSimulatedServer({ seed: 1 });
    closing.push(() => server.close());
    let stoodStill = 0;
    const clock = { ...systemClock, now: () => new Date(Date.now() + stoodStill) };
    const abort = new AbortController();
    const interruption = new Interruption(abort.signal);
    const member = await Membership.join({
      ...{ database, version: "1", judges: null, clock },
      onGivenUp: () => abort.abort(),
    });
    const shared = new SharedCoordination({ database, member, clock, concurrency: null });
    closing.push(async () => {
      await shared.close();
      await member.leave();
    });
    const { allotment } = shared.forRun("run", null)({ interruption, clock });
    const gate = new ProviderGate("server", {
      limits: { initialConcurrency: 8, maximumConcurrency: 8 },
      allotment: allotment("server"),
      ...{
        attempts: 1,
        timeoutMilliseconds: 60_000,
        graceMilliseconds: 0,
        clock,
        random: seededRandom(1),
        interruption,
      },
      emit() {},
      untilStorable: async () => {},
    });
    const model = await createChatModel(server.judge("m"), { connections: server.connections, clock });
    const request = { purpose: "judge", sample: 0, messages: [{ role: "user", content: "x" }] } as const;
    const send = () => gate.ask(request, { model, tokens: 10, beforeRetry: async () => {} });
    await send();
    // The answer to the next request to the rate limit is on its way when the process is suspended, and is read when
    // it wakes up.
    const holder = new Database(location, { connections: 1 });
    closing.push(() => holder.close());
    let asked: Promise<unknown> = Promise.resolve();
    await holder.transaction(async (client) => {
      await client.query("LOCK TABLE fabula.rates");
      asked = send().catch((error: unknown) => error);
      while ((await waitingForRates()) === 0) await wait(10);
      stoodStill = 20_000;
      await database.query("UPDATE fabula.workers SET state = 'gone' WHERE id = $1", [member.id]);
    });
    expect(await asked).toMatchObject({ failure: "interrupted" });
    expect(server.exchanges).toHaveLength(1);
  });

  const waitingForRates = async () =>
    Number(
      (
        await database.query(
          "SELECT count(*) AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%share_rate%'",
        )
      )[0]!.waiting,
    );
});
